// `npm test` runs samples of the long suites; `npm run test:full` runs all of them.

/** The number of runs of a property. */
export function sampleSize(sample: number, full: number): number {
  return process.env['RXPI_FULL'] === undefined ? sample : full
}
