// Reads when the limit of a plan ends, and words a wait for people.

/** The wait in milliseconds that the body of an error names, as ChatGPT's backend does. */
export function resetWait(error: Readonly<Record<string, unknown>>, now: number = Date.now()): number | undefined {
  const { resets_in_seconds: inSeconds, resets_at: atSeconds } = error
  if (isTime(inSeconds)) return Math.round(inSeconds * 1_000)
  return isTime(atSeconds) ? Math.max(0, Math.round(atSeconds * 1_000 - now)) : undefined
}

/** The wait in milliseconds that the headers of Claude's plans name, in seconds since 1970. */
export function unifiedResetWait(headers: Headers, now: number = Date.now()): number | undefined {
  if (headers.get('anthropic-ratelimit-unified-status') !== 'rejected') return undefined
  return resetWait({ resets_at: Number(headers.get('anthropic-ratelimit-unified-reset') ?? NaN) }, now)
}

/**
 * The wait in milliseconds until the last of the used-up limits is full again: `x-ratelimit-reset-requests: 6m0s` where
 * `x-ratelimit-remaining-requests` is 0, and `anthropic-ratelimit-…-reset` with a time where `…-remaining` is 0.
 */
export function quotaResetWait(headers: Headers, now: number = Date.now()): number | undefined {
  const waits = ['requests', 'tokens', 'input-tokens', 'output-tokens'].flatMap((limit) => [
    isUsedUp(headers.get(`x-ratelimit-remaining-${limit}`))
      ? durationMs(headers.get(`x-ratelimit-reset-${limit}`) ?? '')
      : undefined,
    isUsedUp(headers.get(`anthropic-ratelimit-${limit}-remaining`))
      ? untilMs(headers.get(`anthropic-ratelimit-${limit}-reset`) ?? '', now)
      : undefined,
  ])
  const known = waits.filter((wait) => wait !== undefined)
  return known.length === 0 ? undefined : Math.max(...known)
}

function isUsedUp(remaining: string | null): boolean {
  return remaining !== null && remaining.trim() !== '' && Number(remaining) <= 0
}

const units: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 }

/** `1h2m3.5s`, `20ms`, or seconds. */
function durationMs(text: string): number | undefined {
  if (/^\d+(\.\d+)?$/.test(text)) return Math.round(Number(text) * 1_000)
  if (!/^(\d+(\.\d+)?(ms|h|m|s))+$/.test(text)) return undefined
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)]
  return Math.round(parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (units[unit] ?? 0), 0))
}

/** RFC 3339, such as `2026-11-26T16:00:00Z`. */
function untilMs(text: string, now: number): number | undefined {
  const at = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

const longWaitMs = 10 * 60_000
/** A wait of more than a year is no answer of a provider. */
const longestWaitMs = 366 * 24 * 3_600_000

/** Words a wait, with its end if that is minutes away. */
export function describeWait(ms: number, now: number = Date.now()): string {
  const wait = `it asks to wait ${Math.ceil(ms / 1_000)} s`
  if (ms < longWaitMs || ms > longestWaitMs) return wait
  return `${wait}, until ${new Date(now + ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
