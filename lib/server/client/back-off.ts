// Who is cut off comes back soon, then less and less often, and never all at the same moment.

export interface BackOffOptions {
  /** Milliseconds before the first attempt; doubled with each. Default 100. */
  readonly baseDelayMs?: number
  /** The most that it grows to, in milliseconds. Default 10,000. */
  readonly maxDelayMs?: number
  /** 0 to 1: which part of the second half of the delay is waited. Default: random. */
  readonly jitter?: () => number
}

/** The whole milliseconds before an attempt (from 1): between half of what it has grown to and all of it. */
export function backOff(
  attempt: number,
  { baseDelayMs = 100, maxDelayMs = 10_000, jitter = Math.random }: BackOffOptions = {},
): number {
  const grown = Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1))
  return Math.round(grown * (0.5 + 0.5 * jitter()))
}
