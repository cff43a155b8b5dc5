// One question, from its `ui_request` or `question` to the one event that resolves it.
//
// Guarantees: an answer counts once it is written. If it cannot be written, the question gets its default.
import { EMPTY, ReplaySubject, catchError, map, of, take } from 'rxjs'
import type { Observable } from 'rxjs'
import type { Answer } from '../../streams/ports/ask.ts'
import { defaultOutcome, defaultQuestionOutcome } from '../../streams/ports/ask.ts'
import type { AgentEvent, EventNamed } from '../../streams/events/event.ts'
import type { QuestionOutcome } from '../../streams/events/feature-event-fields.ts'
import type { PendingRecord } from '../../streams/log/log-line.ts'

export type RequestEvent = EventNamed<'ui_request'> | EventNamed<'question'>

/** The end of a question. The outcome of a `question` is a QuestionOutcome. `policy`: no answer is needed any more. */
export interface Settlement extends Pick<Answer, 'outcome' | 'text'> {
  readonly by: Answer['by'] | 'policy'
  /** The name of the client that answered. */
  readonly client?: string
}

export interface OpenRequest {
  readonly request: RequestEvent
  /** Emits once and completes; replays. */
  readonly answer$: Observable<Settlement>
  readonly isSettled: boolean
  /** Publishes the question, then waits for `ended$`, which ends it without a person's answer. */
  begin(ended$: Observable<Pick<Settlement, 'by'> & Partial<Settlement>>): void
  /** Only the first call counts; the result emits and completes when the answer is written. */
  settle(answer: Settlement, origin?: Pick<PendingRecord, 'opId'>): Observable<void>
  /** Settles with the default. */
  giveUp(by: Answer['by']): void
}

export interface OpenRequestOptions {
  readonly request: RequestEvent
  /** The run of the question. */
  readonly runId: string | undefined
  write(record: PendingRecord): Observable<void>
  /** Called first when the question is settled. */
  onSettled(answer: Settlement): void
}

export function openRequest({ request, runId, write, onSettled }: OpenRequestOptions): OpenRequest {
  const answer$ = new ReplaySubject<Settlement>(1)
  const ofRun = runId === undefined ? {} : { runId }
  const unanswered = {
    outcome: request.type === 'question' ? defaultQuestionOutcome(request) : defaultOutcome(request),
  }
  let isSettled = false

  const record$ = (record: PendingRecord): Observable<void> => {
    const written$ = new ReplaySubject<void>(1)
    write(record).subscribe(written$)
    return written$
  }
  const settle$: OpenRequest['settle'] = (answer, origin = {}) => {
    if (isSettled) return EMPTY
    isSettled = true
    onSettled(answer)
    const written$ = record$({ event: resolvedEvent(request, answer), ...ofRun, ...origin })
    written$
      .pipe(
        map(() => answer),
        catchError(() => of({ ...unanswered, by: 'default' } as const)),
      )
      .subscribe(answer$)
    return written$
  }
  const end = (settlement: Pick<Settlement, 'by'> & Partial<Settlement>): void => {
    settle$({ ...unanswered, ...settlement }).subscribe({ error: () => undefined }) // the asker gets the default anyway
  }
  return {
    request,
    answer$: answer$.asObservable(),
    get isSettled() {
      return isSettled
    },
    begin: (ended$) => {
      // a question that cannot be written gets its default
      record$({ event: request, ...ofRun }).subscribe({ error: () => end({ by: 'default' }) })
      const waiting = ended$.pipe(take(1)).subscribe(end)
      answer$.subscribe({ complete: () => waiting.unsubscribe() })
    },
    settle: settle$,
    giveUp: (by) => end({ by }),
  }
}

function resolvedEvent({ type, requestId }: RequestEvent, { outcome, text, by, client }: Settlement): AgentEvent {
  if (type === 'question') {
    const named = client === undefined ? {} : { client }
    // checked by `respond`, or the session's own
    return { type: 'question_resolved', requestId, outcome: outcome as QuestionOutcome, by, ...named }
  }
  const words = text === undefined ? {} : { text }
  return { type: 'ui_resolved', requestId, outcome, ...words, by: by === 'policy' ? 'default' : by }
}
