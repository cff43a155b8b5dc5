// The record of a published package in rxpi: what it brings, and what its tools and commands did.

export interface PackageRecord {
  readonly package: string
  readonly version: string
  /** Why it could not be installed, trusted or opened. */
  readonly failed?: string
  /** Modules that did not load, with the reason. */
  readonly unloaded: readonly string[]
  /** What the session showed before the first step. */
  readonly opening: readonly string[]
  readonly steps: readonly StepRecord[]
  /** How the server ended: 0, or its code or signal with the end of stderr. */
  readonly ending: string
}

export interface StepRecord {
  /** `tool NAME`, `command /NAME`, or `prompt`. */
  readonly step: string
  /** What a person or the model got, in order; empty: nothing at all. */
  readonly effects: readonly string[]
  /** Why the step itself failed. */
  readonly failed?: string
}
