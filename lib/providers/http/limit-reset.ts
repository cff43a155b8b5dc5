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
