// Splits a stream of events into one Observable a turn, from `turn_start` to `turn_end`.
import { Observable, Subject, takeUntil } from 'rxjs'
import type { Observer, OperatorFunction } from 'rxjs'
import type { AgentEvent } from '../../streams/events/event.ts'
import { createHolderCount } from '../core/holder-count.ts'
import { serialise } from '../core/serialise.ts'

/**
 * Emits one Observable a turn, just before its `turn_start`, which is its first event; it completes after its
 * `turn_end`. Events between turns (`agent_start`, `agent_end`, `queue_update` …) and a turn without its start are in
 * none.
 *
 * A turn is live and keeps nothing: subscribe when it is emitted (`mergeMap`, never after a `delay`). Buffers nothing.
 * Ends and fails with its source, and the open turn before it; a turn that is followed by another without an end
 * completes there. The source is unsubscribed when neither the outer stream nor a turn is subscribed any more:
 * `turns(), take(1), mergeAll()` gives the first turn whole.
 */
export function turns(): OperatorFunction<AgentEvent, Observable<AgentEvent>> {
  return (source$) =>
    new Observable((subscriber) => {
      const openTurn = createOpenTurn()
      const holders = createHolderCount()

      subscriber.add(holders.hold())
      source$.pipe(serialise(), takeUntil(holders.released$)).subscribe({
        next: (event) => {
          if (event.type === 'turn_start') subscriber.next(holders.counted(openTurn.open()))
          openTurn.next(event)
        },
        error: (error: unknown) => {
          openTurn.fail(error)
          subscriber.error(error)
        },
        complete: () => {
          openTurn.close()
          subscriber.complete()
        },
      })
    })
}

/** The open turn, if any. */
function createOpenTurn() {
  let turn$: Subject<AgentEvent> | undefined
  /** Removes the turn, which receives its end only. */
  function removeTurn(): Observer<AgentEvent> | undefined {
    const removed$ = turn$
    turn$ = undefined
    return removed$
  }
  return {
    open: (): Observable<AgentEvent> => {
      removeTurn()?.complete() // it had no end
      turn$ = new Subject()
      return turn$
    },
    next: (event: AgentEvent): void => {
      turn$?.next(event)
      if (event.type === 'turn_end') removeTurn()?.complete()
    },
    close: (): void => removeTurn()?.complete(),
    fail: (error: unknown): void => removeTurn()?.error(error),
  }
}
