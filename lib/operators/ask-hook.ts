// Awaited hooks hold a run back no longer than their limit.
import { defaultIfEmpty, defer, from, of, take, throwError, timeout } from 'rxjs'
import type { Observable, ObservableInput } from 'rxjs'
import { Failure } from '../streams/failure.ts'
import type { HookAnswer } from '../streams/hooks.ts'

/** What a hook may take to answer, in milliseconds. */
export const hookLimitMs = 30_000

/**
 * Asks a hook and emits its answer, the first of a stream — undefined where it has none — then completes. Fails as the hook throws or fails,
 * or with Failure `timeout`, naming it, after `hookLimitMs`. On unsubscribe the hook is unsubscribed.
 */
export function askHook<Answer>(name: string, ask: () => HookAnswer<Answer>): Observable<Answer | undefined> {
  return defer(() => answers(ask())).pipe(
    timeout({ first: hookLimitMs, with: () => throwError(() => tooLate(name)) }),
    take(1),
    defaultIfEmpty(undefined),
  )
}

function answers<Answer>(answer: HookAnswer<Answer>): Observable<Answer | undefined> {
  return isStream(answer) ? from(answer) : of(answer)
}

/** No hook's own answer has any of these. */
const streamKeys = ['subscribe', 'then', 'getReader', Symbol.iterator, Symbol.asyncIterator]

function isStream<Answer>(answer: HookAnswer<Answer>): answer is ObservableInput<Answer | undefined> {
  return typeof answer === 'object' && answer !== null && streamKeys.some((key) => key in answer)
}

function tooLate(name: string): Failure {
  return new Failure('timeout', `The hook ${name} did not answer within ${hookLimitMs / 1000} s.`)
}
