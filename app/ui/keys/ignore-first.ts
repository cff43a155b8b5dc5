// Keys that were meant for what was on the screen a moment ago are not taken for an answer (docs/design/security.md#S20).
import { skipUntil, timer } from 'rxjs'
import type { MonoTypeOperatorFunction } from 'rxjs'

/**
 * Drops what comes in the first milliseconds after it was subscribed to, and passes everything later on. Ends and fails with its
 * source; buffers nothing.
 */
export function ignoreFirst<Value>(milliseconds: number): MonoTypeOperatorFunction<Value> {
  return (source$) => source$.pipe(skipUntil(timer(milliseconds)))
}
