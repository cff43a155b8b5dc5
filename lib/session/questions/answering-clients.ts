// Counts the clients through which people can answer questions, and notices when none is left.
import {
  NEVER,
  Observable,
  Subject,
  asyncScheduler,
  defer,
  filter,
  map,
  merge,
  of,
  startWith,
  switchMap,
  take,
  timer,
} from 'rxjs'

/** The events that a client can show: none, `ui_request` alone, or `question` too. */
export type QuestionForm = 'ui_request' | 'question'

/** Milliseconds that a question waits for a client whose connection was cut. */
const reconnectGraceMs = 30_000

export interface AnsweringClients {
  /** Each subscription is one client that can answer a `ui_request`; never emits. */
  readonly answering$: Observable<never>
  /** Each subscription is one client that can answer a `question` too; never emits. */
  readonly answeringQuestions$: Observable<never>
  /**
   * The form of a question that people can answer now; attached clients precede those that may reconnect. Undefined:
   * none.
   */
  form(): QuestionForm | undefined
  /** Emits while a client can answer: on subscription, and whenever one comes. Never completes. */
  readonly attended$: Observable<void>
  /** Emits once no client of this form has been there for 30 s, and completes. */
  unattended(form: QuestionForm): Observable<void>
}

export function answeringClients(): AnsweringClients {
  const clients = { ui_request: presence(), question: presence() }
  const forms = ['question', 'ui_request'] as const
  return {
    answering$: clients.ui_request.present$,
    answeringQuestions$: new Observable((subscriber) => {
      for (const form of forms) subscriber.add(clients[form].present$.subscribe())
    }),
    form: () => forms.find((form) => clients[form].isThere()) ?? forms.find((form) => clients[form].graceMs() > 0),
    attended$: merge(clients.question.attended$, clients.ui_request.attended$),
    unattended: (form) => clients[form].unattended$,
  }
}

interface Presence {
  readonly present$: Observable<never>
  readonly attended$: Observable<void>
  readonly unattended$: Observable<void>
  isThere(): boolean
  /** The rest of the time that a client has to reconnect. */
  graceMs(): number
}

function presence(): Presence {
  const changed$ = new Subject<void>()
  let present = 0
  let leftAt = -Infinity
  const change = (by: 1 | -1): void => {
    present += by
    leftAt = asyncScheduler.now()
    changed$.next()
  }
  const graceMs = (): number => {
    const absentMs = asyncScheduler.now() - leftAt
    return absentMs < 0 ? 0 : reconnectGraceMs - absentMs // negative: the clock was set back
  }
  const absence$ = (): Observable<unknown> => {
    if (present > 0) return NEVER
    return graceMs() > 0 ? timer(graceMs()) : of(undefined)
  }
  return {
    graceMs,
    isThere: () => present > 0,
    present$: new Observable(() => {
      change(1)
      return () => {
        change(-1)
      }
    }),
    attended$: defer(() =>
      changed$.pipe(
        startWith(undefined),
        filter(() => present > 0),
        map(() => undefined),
      ),
    ),
    unattended$: defer(() =>
      changed$.pipe(
        startWith(undefined),
        switchMap(absence$),
        take(1),
        map(() => undefined),
      ),
    ),
  }
}
