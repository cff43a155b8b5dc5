// Formats a time as an age in one unit, or as a date if it is more than a month away.

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/**
 * A time after `now` is that of a clock that was set back since: `in 58 min`.
 * @param at Unix ms
 * @param now Unix ms
 */
export function formatAge(at: number, now: number): string {
  const past = now - at
  const span = Math.abs(past)
  if (span < minute) return 'now'
  if (!(span < 31 * day)) return dateOf(at)
  const text = formatSpan(span)
  return past < 0 ? `in ${text}` : `${text} ago`
}

function formatSpan(span: number): string {
  if (span < hour) return `${Math.floor(span / minute)} min`
  if (span < day) return `${Math.floor(span / hour)} h`
  return `${Math.floor(span / day)} d`
}

/** Formats as `2026-03-09` in the local time zone; returns a time without a date as a number. */
function dateOf(at: number): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return String(at)
  const [year, month, dayOfMonth] = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
  return [year, month, dayOfMonth].map((part) => String(part).padStart(2, '0')).join('-')
}
