// A figure of ours, pi's and bare Node's from the same rounds becomes one row: the medians, and the median of the ratios of each round.
import type { Target } from './report.ts'
import { median, medianRatio } from './statistics.ts'

export interface Compared {
  readonly what: string
  /** Of the figures, not of the ratio. */
  readonly unit: string
  readonly ours: readonly number[] | undefined
  readonly pi?: readonly number[] | undefined
  /** The least that the same could take. */
  readonly floor?: readonly number[] | undefined
  /** What ours is divided by. */
  readonly to: 'pi' | 'floor'
  readonly limit: number
}

/** Not measured where ours or the other side is missing. */
export function compared({ what, unit, ours = [], pi = [], floor = [], to, limit }: Compared): Target {
  const other = to === 'pi' ? pi : floor
  const measured = ours.length === 0 || other.length === 0 ? undefined : medianRatio(ours, other)
  return { what, measured, limit, unit: '×', sides: { unit, rxpi: middle(ours), pi: middle(pi), floor: middle(floor) } }
}

function middle(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : median(values)
}
