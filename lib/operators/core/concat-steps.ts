// Subscribes to a fixed list of steps, one after the other; each step is made when the one before has ended.
import { defer } from 'rxjs'
import type { Observable } from 'rxjs'
import { loopWhile } from './loop-while.ts'

/** Undefined: there is nothing to do. */
export type Step<Value> = () => Observable<Value> | undefined

/**
 * Subscribes to the Observable of each step, in order: a `concat` of `defer`s with one layer instead of three. Completes after
 * the last; fails with the first error of a step or throw. Buffers nothing; on unsubscribe the current step is unsubscribed.
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
