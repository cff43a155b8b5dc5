// How long a provider asks to wait is read from its headers, whichever of the three forms it uses.

/**
 * Milliseconds from now: `retry-after-ms`, else `retry-after` as seconds or as an HTTP date. Undefined where the provider
 * does not say or cannot be understood; a date in the past is 0.
 */
export function retryAfterMs(headers: Headers, now: number = Date.now()): number | undefined {
  const milliseconds = numberOf(headers.get('retry-after-ms'))
  if (milliseconds !== undefined) return Math.round(milliseconds)
  const header = headers.get('retry-after')
  const seconds = numberOf(header)
  if (seconds !== undefined) return Math.round(seconds * 1000)
  // a date has its month in letters; `Date.parse` takes almost any number for a year
  const date = /[A-Z]{3}/i.test(header ?? '') ? Date.parse(header ?? '') : NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

function numberOf(text: string | null): number | undefined {
  const value = text === null || text.trim() === '' ? NaN : Number(text)
  return Number.isFinite(value) && value >= 0 ? value : undefined
}
