// Awaited hooks hold a run back no longer than their limit.
import { defaultIfEmpty, defer, from, take, throwError, timeout } from 'rxjs'
import type { Observable, ObservableInput } from 'rxjs'
import { Failure } from '../streams/failure.ts'

/** What a hook may take to answer, in milliseconds. */
export const hookLimitMs = 30_000

/**
 * Asks a hook and emits its first answer — undefined where it has none — then completes. Fails as the hook throws or fails,
 * or with Failure `timeout`, naming it, after `hookLimitMs`. On unsubscribe the hook is unsubscribed.
 */
export function askHook<Answer>(
  name: string,
  ask: () => ObservableInput<Answer | undefined>,
): Observable<Answer | undefined> {
  return defer(() => from(ask())).pipe(
    timeout({ first: hookLimitMs, with: () => throwError(() => tooLate(name)) }),
    take(1),
    defaultIfEmpty(undefined),
  )
}

function tooLate(name: string): Failure {
  return new Failure('timeout', `The hook ${name} did not answer within ${hookLimitMs / 1000} s.`)
}
