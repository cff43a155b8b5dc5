// A marble test that fails throws an Error whose message shows both sides, so that every assertion library can run it.
import { isDeepStrictEqual, inspect } from 'node:util'
import { TestScheduler } from 'rxjs/testing'
import type { RunHelpers } from 'rxjs/testing'

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

// What differs between two recorded streams, one notification a line, so that the first wrong moment is seen at once.

/** Lines as they are in both, `-` for what was expected and did not come, `+` for what came instead. */
function streamDifference(actual: unknown, expected: unknown): string {
  const came = linesOf(actual)
  const wanted = linesOf(expected)
  const count = Math.max(came.length, wanted.length)
  const lines = Array.from({ length: count }, (_, index) => compared(wanted[index], came[index])).flat()
  const differs = lines.some((line) => !line.startsWith('    '))
  const note = differs ? [] : ['    (they read alike: a prototype, a property that is not shown or a cause differs)']
  return ['The streams differ (- expected, + actual):', ...lines, ...note, ''].join('\n')
}

function compared(wanted: string | undefined, came: string | undefined): string[] {
  if (wanted === came) return [`    ${String(came)}`]
  return [...(wanted === undefined ? [] : [`  - ${wanted}`]), ...(came === undefined ? [] : [`  + ${came}`])]
}

function linesOf(side: unknown): string[] {
  return Array.isArray(side) ? side.map(lineOf) : [shown(side)]
}

function lineOf(entry: unknown): string {
  if (!isRecord(entry)) return shown(entry)
  if ('subscribedFrame' in entry) {
    return `subscribed ${frame(entry['subscribedFrame'])}, unsubscribed ${frame(entry['unsubscribedFrame'])}`
  }
  const { notification } = entry
  return isRecord(notification) ? `${frame(entry['frame'])}  ${notified(notification)}` : shown(entry)
}

function frame(at: unknown): string {
  return at === Infinity ? 'never' : `${String(at)} ms`
}

function notified({ kind, value, error }: Record<string, unknown>): string {
  if (kind === 'C') return 'complete'
  return kind === 'E' ? `error ${shown(error)}` : shown(value)
}

function shown(value: unknown): string {
  if (value instanceof Error) return shownError(value)
  return inspect(value, { depth: 8, breakLength: Infinity, sorted: true })
}

/** Without its stack, which is another in every test. */
function shownError(error: Error): string {
  const more = Object.fromEntries(Object.entries(error))
  return `${error.name}: ${error.message}${Object.keys(more).length === 0 ? '' : ` ${shown(more)}`}`
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
