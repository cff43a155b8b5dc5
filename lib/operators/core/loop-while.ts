// Subscribes to steps one after the other, in a flat loop.
// Guarantees: a step that completes synchronously costs no stack.
import { Observable, defer } from 'rxjs'
import { operate } from './operate.ts'
import { trampoline } from '../../streams/rx/trampoline.ts'

/**
 * Subscribes to `step()`, and on its completion to the next `step()`, until a step is `undefined`.
 *
 * Completes when `step` returns `undefined`; fails with the first error of a step or throw of `step`. Buffers nothing.
 * On unsubscribe the current step is unsubscribed, also one that is emitting synchronously. 50,000 synchronous steps
 * run in a `while`; `expand`, `repeat` and recursive `concat` overflow the stack or stall (docs/design/rxjs.md#2).
 */
export function loopWhile<Value>(step: () => Observable<Value> | undefined): Observable<Value> {
  return new Observable((subscriber) => {
    let isReady = true
    const drain = trampoline(() => {
      if (!isReady || subscriber.closed) return false
      isReady = false
      start()
      return true
    })
    const start = (): void => {
      try {
        const step$ = step()
        if (step$ === undefined) subscriber.complete()
        else subscribeTo(step$)
      } catch (error) {
        subscriber.error(error)
      }
    }
    const subscribeTo = (step$: Observable<Value>): void => {
      step$.subscribe(
        operate({
          destination: subscriber,
          complete: () => undefined, // the next step begins after the teardown
          finalize: () => {
            isReady = true
            drain() // does nothing if the step failed or was unsubscribed: then `subscriber` is closed
          },
        }),
      )
    }
    drain()
  })
}

/** Undefined: there is nothing to do. */
type Step<Value> = () => Observable<Value> | undefined

/**
 * Calls and subscribes to a fixed list of steps, in order: a `concat` of `defer`s with one layer instead of three.
 * Completes after the last; fails with the first error of a step or throw. Buffers nothing; on unsubscribe the current
 * step is unsubscribed.
 */
export function concatSteps<Value>(...steps: readonly Step<Value>[]): Observable<Value> {
  return defer(() => {
    let index = 0
    return loopWhile(() => {
      let step$: Observable<Value> | undefined
      while (step$ === undefined && index < steps.length) step$ = steps[index++]?.()
      return step$
    })
  })
}
