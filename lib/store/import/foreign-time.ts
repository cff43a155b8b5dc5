// Times of other formats are texts or numbers; what is no time after 1970 is none.

/** Unix milliseconds of an ISO 8601 text or a number; undefined for anything else. */
export function foreignTime(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : value
  return typeof time === 'number' && time >= 0 && time <= 8.64e15 ? time : undefined
}
