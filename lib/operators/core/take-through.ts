// Ends a stream with the first value that a predicate accepts.
import { Observable } from 'rxjs'
import type { MonoTypeOperatorFunction } from 'rxjs'
import { operate } from './operate.ts'

/**
 * Passes values on up to and with the first one that `isLast` accepts, then completes. Unlike `takeWhile(…, true)` it
 * unsubscribes the source before it emits that value: nothing that the value causes can emit a second end.
 *
 * Completes and fails with its source otherwise; a throw of `isLast` fails it. Buffers nothing; on unsubscribe the
 * source is unsubscribed.
 */
export function takeThrough<Value>(isLast: (value: Value) => boolean): MonoTypeOperatorFunction<Value> {
  return (source$) =>
    new Observable((subscriber) => {
      const inner = operate<Value, Value>({
        destination: subscriber,
        next: (value) => {
          if (!isLast(value)) {
            subscriber.next(value)
            return
          }
          inner.unsubscribe()
          subscriber.next(value)
          subscriber.complete()
        },
      })
      source$.subscribe(inner)
    })
}
