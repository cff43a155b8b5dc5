// Delivers what extensions do before their session is open, once it is open.
import { defer, distinctUntilChanged, filter, from, map, of, startWith } from 'rxjs'
import type { Observable, Observer, Subscription } from 'rxjs'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { ContextNotes, ContextUpdate } from '../../streams/ports/context-notes.ts'
import type { Scope } from '../../streams/rx/scope.ts'
import type { ConnectedSession } from './session-host.ts'

/** Notes, notices and faults that wait for the session to open, or for its next request. */
const mostWaiting = 100

export interface SessionDoor {
  /** Undefined until the session is open, and after `close`. */
  readonly session: ConnectedSession | undefined
  /** True while a question of the session is open; the present value first. */
  readonly questionOpen$: Observable<boolean>
  /** Calls `act` now, or when the session is open. */
  whenOpen(act: (session: ConnectedSession) => void): void
  /** Records the event now, or when the session is open. */
  publish(event: AgentEvent): void
  open(session: ConnectedSession): void
  close(): void
}

/** Holds what waits for the session to open: at most 100 acts, later ones are dropped. */
export function sessionDoor(relay: Observer<AgentEvent>, life: Scope): SessionDoor {
  let session: ConnectedSession | undefined
  let subscription: Subscription | undefined
  let waiting: ((session: ConnectedSession) => void)[] = []
  const whenOpen: SessionDoor['whenOpen'] = (act) => {
    if (session !== undefined) act(session)
    else if (!life.ended && waiting.length < mostWaiting) waiting.push(act)
  }
  return {
    get session() {
      return session
    },
    questionOpen$: defer(() => (session === undefined ? of(false) : questionOpenIn(session))),
    whenOpen,
    publish: (event) => {
      whenOpen(({ publish }) => {
        publish(event)
      })
    },
    open: (connected: ConnectedSession): void => {
      session = connected
      subscription = connected.event$.subscribe(relay)
      const acts = waiting
      waiting = []
      for (const act of acts) act(connected)
    },
    close: (): void => {
      subscription?.unsubscribe()
      session = undefined
      waiting = []
    },
  }
}

const questionEvents: ReadonlySet<string> = new Set(['ui_request', 'ui_resolved', 'question', 'question_resolved'])

function questionOpenIn({ event$, state }: ConnectedSession): Observable<boolean> {
  const isOpen = (): boolean => state().requests.length + state().questions.length > 0
  return event$.pipe(
    filter(({ type }) => questionEvents.has(type)),
    map(isOpen),
    startWith(isOpen()),
    distinctUntilChanged(),
  )
}

/** Holds notes for the next request: at most 100, later ones are dropped. */
export function noteQueue(): { readonly port: ContextNotes; add(text: string): void } {
  let waiting: ContextUpdate[] = []
  return {
    add: (content) => {
      if (waiting.length < mostWaiting) waiting.push({ type: 'note', note: { kind: 'extension', digest: '', content } })
    },
    port: {
      due: () => (waiting.length === 0 ? undefined : defer(() => from(waiting.splice(0)))),
      close: () => {
        waiting = []
      },
    },
  }
}
