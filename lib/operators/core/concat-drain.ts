// concatMap's semantics over a queue that is drained in a `while`: inners that complete synchronously never recurse.
import { Observable } from 'rxjs'
import type { OperatorFunction } from 'rxjs'
import { fifo } from './fifo.ts'
import { loopWhile } from './loop-while.ts'
import { subscribeInner } from './subscribe-inner.ts'

/**
 * Maps each value to an inner Observable and subscribes to them one after the other, in order.
 *
 * Buffers all source values that wait (bound the source). Completes when the source has completed and the last inner too;
 * fails at once with the source's, an inner's or `project`'s error. On unsubscribe the current inner is unsubscribed and
 * what waits is dropped. Unlike `concatMap` (rxjs #7334) it delivers every item when inners complete synchronously behind
 * an asynchronous one.
 */
export function concatDrain<Value, Result>(
  project: (value: Value, index: number) => Observable<Result>,
): OperatorFunction<Value, Result> {
  return (source$) =>
    new Observable((subscriber) => {
      const queue = fifo<Value>()
      let index = 0
      let sourceEnded = false
      let wake = (): void => undefined
      const arrival$ = new Observable<never>((waiting) => {
        wake = () => {
          waiting.complete()
        }
      })
      loopWhile<Result>(() => {
        if (queue.size > 0) return project(queue.take(), index++)
        return sourceEnded ? undefined : arrival$
      }).subscribe(subscriber)
      subscribeInner(source$, subscriber, {
        next: (value) => {
          queue.put(value)
          wake()
        },
        complete: () => {
          sourceEnded = true
          wake()
        },
      })
    })
}
