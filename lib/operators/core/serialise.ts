// A value that is caused while another is being delivered waits behind it: every subscriber sees one order.
import { Observable } from 'rxjs'
import type { MonoTypeOperatorFunction } from 'rxjs'
import { subscribeInner } from './subscribe-inner.ts'

const chunk = 1024

/**
 * Passes values on one at a time. What arrives re-entrantly — from a handler below, during a delivery — is kept and
 * delivered when that delivery has returned, in order of arrival.
 *
 * Buffers only during a delivery (all of it). Completion and error wait behind what was kept. On unsubscribe what was kept
 * is dropped. Synchronous otherwise: it adds no tick. See RXJS.md 8.
 */
export function serialise<Value>(): MonoTypeOperatorFunction<Value> {
  return (source$) =>
    new Observable((subscriber) => {
      const waiting: Value[] = []
      let delivering = false
      let end: (() => void) | undefined

      const deliver = (value: Value): void => {
        delivering = true
        subscriber.next(value)
        // the queue grows while it is walked: that is the point
        for (let index = 0; index < waiting.length && !subscriber.closed; index++) {
          subscriber.next(waiting[index] as Value) // index was just checked; Value may include undefined
          if (index === chunk - 1) {
            waiting.splice(0, chunk) // so that an endless echo does not keep what was delivered
            index = -1
          }
        }
        waiting.length = 0
        delivering = false
        end?.()
      }
      const finish = (ending: () => void): void => {
        if (delivering) end = ending
        else ending()
      }

      subscribeInner(source$, subscriber, {
        next: (value) => {
          if (delivering) waiting.push(value)
          else deliver(value)
        },
        error: (error: unknown) => {
          finish(() => {
            subscriber.error(error)
          })
        },
        complete: () => {
          finish(() => {
            subscriber.complete()
          })
        },
      })
    })
}
