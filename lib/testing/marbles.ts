// A marble test that fails throws an Error whose message shows both sides, so that every assertion library can run it.
import { isDeepStrictEqual } from 'node:util'
import { TestScheduler } from 'rxjs/testing'
import type { RunHelpers } from 'rxjs/testing'
import { streamDifference } from './stream-difference.ts'

/**
 * Runs `test` in virtual time (RxJS's `TestScheduler.run`): timers, `delay`, `Date`-based operators and marbles share one
 * clock that starts at 0 and jumps; one frame is one millisecond. Everything under way is flushed when `test` returns, then
 * what `expectObservable` and `expectSubscriptions` were told is compared (deep and strict).
 *
 * ```ts
 * marbles(({ cold, expectObservable }) => {
 *   expectObservable(cold('a-b|').pipe(map((x) => x + x))).toBe('x-y|', { x: 'aa', y: 'bb' })
 * })
 * ```
 *
 * Space marbles 10 ms apart where groups are used: `(ab)` moves time by four frames. In one frame an unsubscription wins over
 * an emission. Promises are not virtual: give operators Observables instead.
 *
 * @returns what `test` returns
 * @throws Error with a line-by-line difference where a stream or its subscriptions are not as expected
 */
export function marbles<Result>(test: (helpers: RunHelpers) => Result): Result {
  return new TestScheduler((actual: unknown, expected: unknown) => {
    if (!isDeepStrictEqual(actual, expected)) throw new Error(streamDifference(actual, expected))
  }).run(test)
}
