// One question, from its `ui_request` to its one `ui_resolved`.
//
// Guarantees: an answer counts once it is written. If it cannot be written, the question gets its default.
import { EMPTY, ReplaySubject, catchError, map, of, take } from 'rxjs'
import type { Observable } from 'rxjs'
import type { Answer } from '../../streams/ports/ask.ts'
import { defaultOutcome } from '../../streams/ports/ask.ts'
import type { EventNamed } from '../../streams/events/event.ts'
import type { PendingRecord } from '../../streams/log/log-line.ts'

export interface OpenRequest {
  readonly request: EventNamed<'ui_request'>
  /** Emits once and completes; replays. */
  readonly answer$: Observable<Answer>
  /** Publishes the question, then waits for `ended$`, which ends it without an answer. */
  begin(ended$: Observable<Answer['by']>): void
  /** Only the first call counts; the result emits and completes when the answer is written. */
  settle(answer: Answer, origin?: Pick<PendingRecord, 'opId'>): Observable<void>
  /** Settles with the default. */
  giveUp(by: Answer['by']): void
}

export interface OpenRequestOptions {
  readonly request: EventNamed<'ui_request'>
  /** The run of the question. */
  readonly runId: string | undefined
  write(record: PendingRecord): Observable<void>
  /** Called first when the question is settled. */
  onSettled(answer: Answer): void
}

export function openRequest({ request, runId, write, onSettled }: OpenRequestOptions): OpenRequest {
  const answer$ = new ReplaySubject<Answer>(1)
  const ofRun = runId === undefined ? {} : { runId }
  const unanswered = { outcome: defaultOutcome(request) }
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
    const event = { type: 'ui_resolved', requestId: request.requestId, ...answer } as const
    const written$ = record$({ event, ...ofRun, ...origin })
    written$
      .pipe(
        map(() => answer),
        catchError(() => of({ ...unanswered, by: 'default' } as const)),
      )
      .subscribe(answer$)
    return written$
  }
  const giveUp = (by: Answer['by']): void => {
    settle$({ ...unanswered, by }).subscribe({ error: () => undefined }) // the asker gets the default anyway
  }
  return {
    request,
    answer$: answer$.asObservable(),
    begin: (ended$) => {
      // a question that cannot be written gets its default
      record$({ event: request, ...ofRun }).subscribe({ error: () => giveUp('default') })
      const waiting = ended$.pipe(take(1)).subscribe(giveUp)
      answer$.subscribe({ complete: () => waiting.unsubscribe() })
    },
    settle: settle$,
    giveUp,
  }
}
