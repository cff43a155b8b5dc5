// Stores what a client says in `hello`, and counts it as a UI of a session while it is attached.
import { EMPTY, Observable, distinctUntilChanged, switchMap } from 'rxjs'
import type { MonoTypeOperatorFunction } from 'rxjs'
import type { Session } from '../../session/contract/session.ts'
import type { CommandNamed } from '../../streams/commands/command.ts'
import { behavior } from '../../streams/rx/behavior.ts'
import type { Behavior } from '../../streams/rx/behavior.ts'

/** A client has no name and no UI until its `hello`. */
export interface ClientIdentity {
  /** Applies a `hello`; fields that it leaves out stay as they are. */
  update(hello: Pick<CommandNamed<'hello'>, 'client' | 'ui'>): void
  readonly name: string | undefined
  /** Whether people can answer through this client. */
  readonly hasUi$: Behavior<boolean>
}

export function clientIdentity(): ClientIdentity {
  const ui = behavior(false)
  let name: string | undefined
  return {
    update: ({ client = name, ui: hasUi = ui.behavior$.value }) => {
      name = client
      ui.set(hasUi)
    },
    get name() {
      return name
    },
    hasUi$: ui.behavior$,
  }
}

/**
 * Passes every frame on. While subscribed, and while the client says that people can answer through it, the session counts the
 * client as able to answer. Ends, fails and buffers as the source.
 */
export function countUiClient<Frame>(
  { answering$ }: Pick<Session, 'answering$'>,
  { hasUi$ }: Pick<ClientIdentity, 'hasUi$'>,
): MonoTypeOperatorFunction<Frame> {
  return (frames$) =>
    new Observable((subscriber) => {
      const counted$ = hasUi$.pipe(
        distinctUntilChanged(),
        switchMap((hasUi) => (hasUi ? answering$ : EMPTY)),
      )
      subscriber.add(counted$.subscribe())
      subscriber.add(frames$.subscribe(subscriber))
    })
}
