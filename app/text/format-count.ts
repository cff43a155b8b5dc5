// Formats a count of tokens or characters for a narrow row.

/** 950, 1.2k, 34k, 1.5M. */
export function formatCount(count: number): string {
  if (count < 1_000) return String(count)
  if (count < 9_950) return `${(count / 1_000).toFixed(1)}k`
  if (count < 999_500) return `${Math.round(count / 1_000)}k`
  return `${(count / 1_000_000).toFixed(1)}M`
}
