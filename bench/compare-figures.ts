// Makes one row of ours, pi's and bare Node's figures: medians, and the median of the ratios.
import type { Target } from './report.ts'
import { median, medianRatio } from './statistics.ts'

export interface ComparedFigures {
  readonly what: string
  /** Of the figures, not of the ratio. */
  readonly unit: string
  readonly ours: readonly number[] | undefined
  readonly pi?: readonly number[] | undefined
  /** The lower bound for the same work. */
  readonly floor?: readonly number[] | undefined
  /** The divisor of our figure. */
  readonly to: 'pi' | 'floor'
  readonly limit: number
}

/** Unmeasured if our figure or the other one is missing. */
export function compareFigures({ what, unit, ours = [], pi = [], floor = [], to, limit }: ComparedFigures): Target {
  const other = to === 'pi' ? pi : floor
  const measured = ours.length === 0 || other.length === 0 ? undefined : medianRatio(ours, other)
  return {
    what,
    measured,
    limit,
    unit: '×',
    sides: { unit, rxpi: medianOf(ours), pi: medianOf(pi), floor: medianOf(floor) },
  }
}

function medianOf(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : median(values)
}
