// What a client has said of itself in `hello`; until then it is nobody's name and answers for no person.
import { behavior } from '../../streams/rx/behavior.ts'
import type { Behavior } from '../../streams/rx/behavior.ts'
import type { CommandNamed } from '../../streams/commands/command.ts'

export interface ClientIdentity {
  /** Takes over what the command has; what it leaves out stays. */
  said(hello: Pick<CommandNamed<'hello'>, 'client' | 'ui'>): void
  readonly name: string | undefined
  /** Whether people can answer through it. */
  readonly hasUi$: Behavior<boolean>
}

export function clientIdentity(): ClientIdentity {
  const ui = behavior(false)
  let name: string | undefined
  return {
    said: ({ client = name, ui: hasUi = ui.behavior$.value }) => {
      name = client
      ui.set(hasUi)
    },
    get name() {
      return name
    },
    hasUi$: ui.behavior$,
  }
}
