// `npm test` runs samples of the long suites; `npm run test:full` runs all of them.

/** True for the long suites: `npm run test:full`. */
export const isFull = process.env['RXPI_FULL'] !== undefined

/** The number of runs of a property. */
export function sampleSize(sample: number, full: number): number {
  return isFull ? full : sample
}

/** The first rows of a table; all of them for the long suites. */
export function sampleRows<const Row>(rows: readonly Row[], sample: number): readonly Row[] {
  return isFull ? rows : rows.slice(0, sample)
}
