// What one whole run of the benchmarks gave: what the page of figures is written from, and nothing else is.
import type { Machine } from '../machine.ts'
import type { Report } from '../report.ts'

export interface Results {
  /** ISO 8601, to the minute. */
  readonly date: string
  readonly rxpi: string
  /** The rival's version; whether it was there says each report. */
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
  /** Absent where it failed. */
  readonly report?: Report
  /** Why. */
  readonly failure?: string
}
