// The text of one command on the protocol page, beside its schemas.
import type { CommandType } from '../../../lib/streams/commands/command.ts'
import type { FailureCode } from '../../../lib/streams/values/failure.ts'

export interface CommandNote {
  readonly does: string
  /** Error codes besides those of every command. */
  readonly errors: readonly FailureCode[]
  /** Fields of the example request besides `id` and `type`. A test checks request and response against the schemas. */
  readonly ask: Readonly<Record<string, unknown>>
  readonly answer: Readonly<Record<string, unknown>>
}

export interface CommandGroup {
  readonly title: string
  readonly commands: Readonly<Partial<Record<CommandType, CommandNote>>>
}
