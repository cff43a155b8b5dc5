// Decides whether a server that ended is started again, and when.

/** Milliseconds in which `failureLimit` ends are too many. */
const windowMs = 5 * 60_000
const failureLimit = 5
const firstDelayMs = 1_000
const longestDelayMs = 30_000

/** Plan after the end of a connection. `ends` are those of the window, for the next decision. */
export type RestartPlan =
  | { readonly type: 'restart'; readonly delayMs: number; readonly ends: readonly number[] }
  | { readonly type: 'give-up' }

/** @param ends times of earlier ends, in milliseconds @param now the time of this end */
export function planRestart(ends: readonly number[], now: number): RestartPlan {
  const recent = [...ends.filter((time) => now - time < windowMs), now]
  if (recent.length >= failureLimit) return { type: 'give-up' }
  const delayMs = Math.min(firstDelayMs * 2 ** (recent.length - 1), longestDelayMs)
  return { type: 'restart', delayMs, ends: recent }
}
