// Ends a stream whose failure loses nothing that the user needs.
import { EMPTY, catchError } from 'rxjs'
import type { MonoTypeOperatorFunction } from 'rxjs'
import { Failure } from '../values/failure.ts'

/** Completes instead of failing with a Failure; any other error is a defect and stays. */
export function ignoreFailure<Value>(): MonoTypeOperatorFunction<Value> {
  return catchError((thrown: unknown) => {
    if (thrown instanceof Failure) return EMPTY
    throw thrown
  })
}
