// The text of one command on the protocol page, beside its schemas.
import type { CommandType } from '../../../lib/streams/commands/command.ts'
import type { FailureCode } from '../../../lib/streams/values/failure.ts'

export interface CommandNote {
  readonly does: string
  /** Beside those that every command may fail with. */
  readonly errors: readonly FailureCode[]
  /** Fields of the worked line's request, beside `id` and `type`; checked against the schema by a test, as the answer is. */
  readonly ask: Readonly<Record<string, unknown>>
  readonly answer: Readonly<Record<string, unknown>>
}

export interface CommandGroup {
  readonly title: string
  readonly commands: Readonly<Partial<Record<CommandType, CommandNote>>>
}
