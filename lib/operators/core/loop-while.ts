// One step after the other, flat: a step that completes synchronously costs no stack.
import { Observable } from 'rxjs'
import { subscribeInner } from './subscribe-inner.ts'

/**
 * Subscribes to `step()`, and on its completion to the next `step()`, until a step is `undefined`.
 *
 * Completes when `step` returns `undefined`; fails with the first error of a step or throw of `step`. Buffers nothing. On
 * unsubscribe the current step is unsubscribed, also one that is emitting synchronously. 50,000 synchronous steps run in a
 * `while`, where `expand`, `repeat` and recursive `concat` overflow the stack or stall (RXJS.md 2).
 */
export function loopWhile<Value>(step: () => Observable<Value> | undefined): Observable<Value> {
  return new Observable((subscriber) => {
    let ready = true
    let draining = false

    const drain = (): void => {
      if (draining) return
      draining = true
      while (ready && !subscriber.closed) {
        ready = false
        subscribeTo(nextStep())
      }
      draining = false
    }
    const nextStep = (): Observable<Value> | undefined => {
      try {
        return step()
      } catch (error) {
        subscriber.error(error)
        return undefined
      }
    }
    const subscribeTo = (inner$: Observable<Value> | undefined): void => {
      if (inner$ === undefined) {
        subscriber.complete()
        return
      }
      subscribeInner(inner$, subscriber, {
        completed: () => {
          ready = !subscriber.closed
          drain()
        },
      })
    }

    drain()
  })
}
