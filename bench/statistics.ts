// Statistics of repeated measurements: medians, so that one disturbed repetition has no effect.

/** The middle one, or the mean of the two in the middle. @throws if there is none */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.ceil(sorted.length / 2) - 1]
  if (upper === undefined || lower === undefined) throw new Error('There is no median of nothing')
  return (lower + upper) / 2
}

/** The median of the ratios of pairs that were measured one right after the other: a slow phase affects both alike. */
export function medianRatio(values: readonly number[], others: readonly number[]): number {
  return median(values.map((value, index) => value / (others[index] ?? Number.NaN)))
}

/** The smallest of the values that at least this share of them does not exceed. @throws if there is none */
export function quantile(values: readonly number[], share: number): number {
  const value = values.toSorted((one, other) => one - other)[Math.max(0, Math.ceil(share * values.length) - 1)]
  if (value === undefined) throw new Error('There is no quantile of nothing')
  return value
}

/** The ratio of the largest to the smallest: 1 = all are equal. */
export function spread(values: readonly number[]): number {
  return Math.max(...values) / Math.min(...values)
}
