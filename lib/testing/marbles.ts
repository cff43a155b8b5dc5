// Runs a marble test; a failure throws an Error that shows both streams, for every assertion library.
import { isDeepStrictEqual, inspect } from 'node:util'
import { TestScheduler } from 'rxjs/testing'
import type { RunHelpers } from 'rxjs/testing'

/**
 * Runs `test` in virtual time (RxJS's `TestScheduler.run`): timers, `delay`, `Date`-based operators and marbles share
 * one clock that starts at 0 and jumps; one frame is one millisecond. When `test` returns, pending work is flushed, and
 * then the expectations of `expectObservable` and `expectSubscriptions` are compared (deep and strict).
 *
 * ```ts
 * marbles(({ cold, expectObservable }) => {
 *   expectObservable(cold('a-b|').pipe(map((x) => x + x))).toBe('x-y|', { x: 'aa', y: 'bb' })
 * })
 * ```
 *
 * Space marbles 10 ms apart if you use groups: `(ab)` moves time by four frames. In one frame an unsubscription wins
 * over an emission. Promises are not virtual: give operators Observables instead.
 *
 * @returns the result of `test`
 * @throws Error with a line-by-line difference if a stream or its subscriptions are not as expected
 */
export function marbles<Result>(test: (helpers: RunHelpers) => Result): Result {
  return new TestScheduler((actual: unknown, expected: unknown) => {
    if (!isDeepStrictEqual(actual, expected)) throw new Error(streamDifference(actual, expected))
  }).run(test)
}

/**
 * Compares two recorded streams line by line: `-` marks an expected notification that did not come, `+` one that came
 * instead.
 */
function streamDifference(actual: unknown, expected: unknown): string {
  const came = toLines(actual)
  const wanted = toLines(expected)
  const count = Math.max(came.length, wanted.length)
  const lines = Array.from({ length: count }, (_, index) => compareLines(wanted[index], came[index])).flat()
  const differs = lines.some((line) => !line.startsWith('    '))
  const note = differs
    ? []
    : ['    (both print the same text: they differ in a prototype, a hidden property or a cause)']
  return ['The streams differ (- expected, + actual):', ...lines, ...note, ''].join('\n')
}

function compareLines(wanted: string | undefined, came: string | undefined): string[] {
  if (wanted === came) return [`    ${String(came)}`]
  return [...(wanted === undefined ? [] : [`  - ${wanted}`]), ...(came === undefined ? [] : [`  + ${came}`])]
}

function toLines(side: unknown): string[] {
  return Array.isArray(side) ? side.map(toLine) : [show(side)]
}

function toLine(entry: unknown): string {
  if (!isRecord(entry)) return show(entry)
  if ('subscribedFrame' in entry) {
    return `subscribed ${showFrame(entry['subscribedFrame'])}, unsubscribed ${showFrame(entry['unsubscribedFrame'])}`
  }
  const { notification } = entry
  return isRecord(notification) ? `${showFrame(entry['frame'])}  ${showNotification(notification)}` : show(entry)
}

function showFrame(at: unknown): string {
  return at === Infinity ? 'never' : `${String(at)} ms`
}

function showNotification({ kind, value, error }: Record<string, unknown>): string {
  if (kind === 'C') return 'complete'
  return kind === 'E' ? `error ${show(error)}` : show(value)
}

function show(value: unknown): string {
  if (value instanceof Error) return showError(value)
  return inspect(value, { depth: 8, breakLength: Infinity, sorted: true })
}

/** Without its stack, which differs in every test. */
function showError(error: Error): string {
  const more = Object.fromEntries(Object.entries(error))
  return `${error.name}: ${error.message}${Object.keys(more).length === 0 ? '' : ` ${show(more)}`}`
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
