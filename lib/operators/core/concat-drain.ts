// `concatMap` that is safe for synchronous inners: it drains its queue in a loop.
// Guarantees: no recursion, however many inners complete synchronously.
import { Observable } from 'rxjs'
import type { OperatorFunction } from 'rxjs'
import { fifo } from '../../streams/values/fifo.ts'
import { loopWhile } from './loop-while.ts'
import { operate } from './operate.ts'

/**
 * Maps each value to an inner Observable and subscribes to them one after the other, in order.
 *
 * Buffers all source values that wait (bound the source). Completes when the source has completed and the last inner
 * too; fails at once with the source's, an inner's or `project`'s error. On unsubscribe the current inner is
 * unsubscribed and the waiting values are dropped. Unlike `concatMap` (rxjs #7334) it delivers every item if inners
 * complete synchronously after an asynchronous one.
 */
export function concatDrain<Value, Result>(
  project: (value: Value, index: number) => Observable<Result>,
): OperatorFunction<Value, Result> {
  return (source$) =>
    new Observable((subscriber) => {
      const queue = fifo<Value>()
      let index = 0
      let isSourceComplete = false
      let wake = (): void => undefined
      const arrival$ = new Observable<never>((waiting) => {
        wake = () => {
          waiting.complete()
        }
      })
      loopWhile<Result>(() => {
        if (queue.size > 0) return project(queue.take(), index++)
        return isSourceComplete ? undefined : arrival$
      }).subscribe(subscriber)
      source$.subscribe(
        operate<Value, Result>({
          destination: subscriber,
          next: (value) => {
            queue.put(value)
            wake()
          },
          complete: () => {
            isSourceComplete = true
            wake()
          },
        }),
      )
    })
}
