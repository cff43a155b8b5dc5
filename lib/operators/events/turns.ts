// Every turn is an Observable of its own, from its `turn_start` to its `turn_end`.
import { Observable, Subject, takeUntil } from 'rxjs'
import type { Observer, OperatorFunction } from 'rxjs'
import type { AgentEvent } from '../../streams/events/event.ts'
import { serialise } from '../core/serialise.ts'

/**
 * Emits one Observable a turn, just before its `turn_start`, which is the first thing it tells; it completes after its
 * `turn_end`. What comes between turns (`agent_start`, `agent_end`, `queue_update` …) and a turn whose start was not seen
 * are in none.
 *
 * A turn tells live what comes and keeps nothing: subscribe when it is emitted (`mergeMap`, never behind a `delay`). Buffers
 * nothing. Ends and fails with its source, and the open turn before it; a turn that is followed by another without having
 * ended is completed there. The source is unsubscribed when neither the outer stream nor a turn is subscribed any more:
 * `turns(), take(1), mergeAll()` gives the first turn whole.
 */
export function turns(): OperatorFunction<AgentEvent, Observable<AgentEvent>> {
  return (source$) =>
    new Observable((subscriber) => {
      const course = openTurn()
      const holders = held()

      subscriber.add(holders.hold())
      source$.pipe(serialise(), takeUntil(holders.released$)).subscribe({
        next: (event) => {
          if (event.type === 'turn_start') subscriber.next(holders.holding(course.open()))
          course.tell(event)
        },
        error: (error: unknown) => {
          course.fail(error)
          subscriber.error(error)
        },
        complete: () => {
          course.close()
          subscriber.complete()
        },
      })
    })
}

/** The turn that is under way, if any. */
function openTurn() {
  let turn$: Subject<AgentEvent> | undefined
  /** Nothing more is told to the turn but how it ends. */
  function leave(): Observer<AgentEvent> | undefined {
    const left$ = turn$
    turn$ = undefined
    return left$
  }
  return {
    open: (): Observable<AgentEvent> => {
      leave()?.complete() // it did not end
      turn$ = new Subject()
      return turn$
    },
    tell: (event: AgentEvent): void => {
      turn$?.next(event)
      if (event.type === 'turn_end') leave()?.complete()
    },
    close: (): void => leave()?.complete(),
    fail: (error: unknown): void => leave()?.error(error),
  }
}

/** Counts who is subscribed; `released$` tells that the last has gone. */
function held() {
  const released$ = new Subject<void>()
  let count = 0
  const hold = (): (() => void) => {
    count += 1
    return () => {
      count -= 1
      if (count === 0) released$.next()
    }
  }
  return {
    released$,
    hold,
    /** The same stream, whose subscribers count. */
    holding: <Value>(stream$: Observable<Value>): Observable<Value> =>
      new Observable((subscriber) => {
        subscriber.add(hold())
        stream$.subscribe(subscriber)
      }),
  }
}
