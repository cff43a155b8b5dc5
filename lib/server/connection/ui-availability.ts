// Stores what a client says in `hello`, and counts it as a UI of a session while it is attached.
import { EMPTY, Observable, distinctUntilChanged, switchMap } from 'rxjs'
import type { MonoTypeOperatorFunction } from 'rxjs'
import type { Session } from '../../session/contract/session.ts'
import type { CommandNamed } from '../../streams/commands/command.ts'
import { behavior } from '../../streams/rx/behavior.ts'
import type { Behavior } from '../../streams/rx/behavior.ts'

/** Questions that a client can show: none, `ui_request` alone, or `question` too. */
export type UiAbility = 'none' | 'requests' | 'questions'

/** A client has no name and no UI until its `hello`. */
export interface ClientIdentity {
  /** Applies a `hello`; fields that it leaves out stay as they are. */
  update(hello: Pick<CommandNamed<'hello'>, 'client' | 'ui' | 'questions'>): void
  readonly name: string | undefined
  readonly ability$: Behavior<UiAbility>
}

export function clientIdentity(): ClientIdentity {
  const ability = behavior<UiAbility>('none')
  let known: { readonly client?: string; readonly ui?: boolean; readonly questions?: boolean } = {}
  return {
    update: ({ client = known.client, ui = known.ui ?? false, questions = known.questions ?? false }) => {
      known = { ...(client === undefined ? {} : { client }), ui, questions }
      ability.set(ui ? (questions ? 'questions' : 'requests') : 'none')
    },
    get name() {
      return known.client
    },
    ability$: ability.behavior$,
  }
}

/**
 * Passes every frame on. While subscribed, and while the client says that people can answer through it, the session
 * counts the client as able to answer. Ends, fails and buffers as the source.
 */
export function countUiClient<Frame>(
  { answering$, answeringQuestions$ = answering$ }: Pick<Session, 'answering$' | 'answeringQuestions$'>,
  { ability$ }: Pick<ClientIdentity, 'ability$'>,
): MonoTypeOperatorFunction<Frame> {
  const counters = { none: EMPTY, requests: answering$, questions: answeringQuestions$ }
  return (frames$) =>
    new Observable((subscriber) => {
      const counted$ = ability$.pipe(
        distinctUntilChanged(),
        switchMap((ability) => counters[ability]),
      )
      subscriber.add(counted$.subscribe())
      subscriber.add(frames$.subscribe(subscriber))
    })
}
