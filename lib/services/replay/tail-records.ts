// Folds and publishes records of another source; late subscribers get its final event too.
import { BehaviorSubject, Observable, Subject, asyncScheduler, concat, defer, ignoreElements, timer } from 'rxjs'
import type { Behavior } from '../../streams/rx/behavior.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import type { Scope } from '../../streams/rx/scope.ts'
import type { SessionRecord } from '../../streams/log/log-line.ts'
import { createProjection } from '../../session/pipeline/projection.ts'

export interface TailOptions {
  /** The state before the first record of `source$`. */
  readonly initial: SessionState
  /** Subscribed once, until `life` ends; not re-entrant. A failure ends it, as a `status` event. */
  readonly source$: Observable<SessionRecord>
  /** The moment of that subscription. Default `at once`. */
  readonly begins?: 'at once' | 'when watched'
  /** Returns the event to publish when `source$` has completed. Default: none. */
  end?(): AgentEvent
  readonly life: Scope
}

export interface TailedRecords {
  readonly state$: Behavior<SessionState>
  /** Live; a subscriber after the end gets the final event. Completes when `life` ends. */
  readonly records$: Observable<SessionRecord>
  /** The number of subscribers of `records$`. */
  readonly watchers$: Observable<number>
}

export function tailRecords({ initial, source$, begins = 'at once', end, life }: TailOptions): TailedRecords {
  const state = createProjection(initial)
  const published$ = new Subject<SessionRecord>()
  const watchers$ = new BehaviorSubject(0)
  let last: SessionRecord | undefined
  const finish = (event: AgentEvent | undefined): void => {
    if (event === undefined || life.ended) return
    last = { event, at: asyncScheduler.now() }
    published$.next(last)
  }
  const begin = once(() => {
    // the first subscriber is there by then, and gets every record
    const after$ = begins === 'at once' ? source$ : concat(timer(0).pipe(ignoreElements()), source$)
    after$.pipe(life.bind()).subscribe({
      next: (record) => {
        state.fold(record)
        published$.next(record)
        state.publish()
      },
      error: (error: unknown) => finish(failureStatus(error)),
      complete: () => finish(end?.()),
    })
  })
  life.onEnd(() => {
    published$.complete()
    state.close()
  })
  if (begins === 'at once') begin()
  return {
    state$: state.state$,
    watchers$: defer(() => watchers$),
    records$: new Observable((subscriber) => {
      watchers$.next(watchers$.value + 1)
      const subscription = published$.subscribe(subscriber)
      if (last !== undefined) subscriber.next(last)
      begin()
      return () => {
        subscription.unsubscribe()
        watchers$.next(watchers$.value - 1)
      }
    }),
  }
}

function once(act: () => void): () => void {
  let acted = false
  return () => {
    if (acted) return
    acted = true
    act()
  }
}

function failureStatus(error: unknown): AgentEvent {
  const { code, message } = Failure.from(error)
  return { type: 'status', code, message, recoverable: false }
}
