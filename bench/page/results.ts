// The results of one whole run of the benchmarks, the only source of the page of figures.
import type { Machine } from '../machine.ts'
import type { Report } from '../report.ts'

export interface Results {
  /** ISO 8601, to the minute. */
  readonly date: string
  readonly rxpi: string
  /** The rival's version; each report has whether it was installed. */
  readonly pi: string
  readonly machine: Machine
  /** Of the minute before the end. */
  readonly loadAfter: number
  readonly minutes: number
  readonly benchmarks: readonly BenchmarkResult[]
}

export interface BenchmarkResult {
  readonly name: string
  readonly about: string
  readonly minutes: number
  /** ISO 8601, to the minute, if it was measured again after the run. */
  readonly measuredAt?: string
  /** Absent if it failed. */
  readonly report?: Report
  /** The reason. */
  readonly failure?: string
}
