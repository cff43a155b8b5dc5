// Steps that are known beforehand, one after the other; each is asked for when the one before it has been let go of.
import { Observable } from 'rxjs'
import { loopWhile } from './loop-while.ts'

/** Undefined: there is nothing to do. */
export type Step<Value> = () => Observable<Value> | undefined

/**
 * Subscribes to what each step returns, in order. Completes behind the last; fails with the first error of a step or throw.
 * Buffers nothing; on unsubscribe the current step is unsubscribed. A `concat` of `defer`s, at no cost a value where that
 * takes three calls.
 */
export function oneAfterAnother<Value>(...steps: readonly Step<Value>[]): Observable<Value> {
  return new Observable((subscriber) => {
    let index = 0
    const nextStep = (): Observable<Value> | undefined => {
      while (index < steps.length) {
        const step$ = steps[index++]?.()
        if (step$ !== undefined) return step$
      }
      return undefined
    }
    return loopWhile(nextStep).subscribe(subscriber)
  })
}
