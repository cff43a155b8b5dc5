// Formats a time as an age in one unit, or as a date if it is older than a month.

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/**
 * @param at Unix ms
 * @param now Unix ms; a later `at` counts as now
 */
export function formatAge(at: number, now: number): string {
  const past = now - at
  if (past < minute) return 'now'
  if (past < hour) return `${Math.floor(past / minute)} min ago`
  if (past < day) return `${Math.floor(past / hour)} h ago`
  if (past < 31 * day) return `${Math.floor(past / day)} d ago`
  return dateOf(at)
}

/** Formats as `2026-03-09` in the local time zone; returns a time without a date as a number. */
function dateOf(at: number): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return String(at)
  const [year, month, dayOfMonth] = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
  return [year, month, dayOfMonth].map((part) => String(part).padStart(2, '0')).join('-')
}
