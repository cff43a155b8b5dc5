// Delivers a value that arrives during a delivery after it, so that every subscriber sees one order.
import { Observable } from 'rxjs'
import type { MonoTypeOperatorFunction } from 'rxjs'
import { fifo } from '../../streams/values/fifo.ts'
import { operate } from './operate.ts'
import { trampoline } from '../../streams/rx/trampoline.ts'

/**
 * Passes values on one at a time. A value that arrives re-entrantly — from a handler below, during a delivery — waits
 * and is delivered when that delivery has returned, in order of arrival.
 *
 * Buffers only during a delivery (all of it). Completion and error follow the waiting values. On unsubscribe these are
 * dropped. Synchronous otherwise: it adds no tick. See docs/design/rxjs.md#8.
 */
export function serialise<Value>(): MonoTypeOperatorFunction<Value> {
  return (source$) =>
    new Observable((subscriber) => {
      const waiting = fifo<Value>()
      let end: (() => void) | undefined
      const drain = trampoline(() => {
        if (waiting.size === 0 || subscriber.closed) {
          end?.()
          return false
        }
        subscriber.next(waiting.take())
        return true
      })
      source$.subscribe(
        operate<Value, Value>({
          destination: subscriber,
          next: (value) => {
            waiting.put(value)
            drain()
          },
          error: (error) => {
            end = () => {
              subscriber.error(error)
            }
            drain()
          },
          complete: () => {
            end = () => {
              subscriber.complete()
            }
            drain()
          },
        }),
      )
    })
}
