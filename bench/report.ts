// The report of a benchmark: tables of raw figures, and targets that are reached or missed.
import type { ChildProcess, StdioOptions } from 'node:child_process'

/** A number is raw; its column has its format. */
export type Cell = string | number | undefined

export interface Column {
  readonly title: string
  /** Digits after the point. @default 0 */
  readonly digits?: number
}

export interface Table {
  readonly title: string
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Cell[])[]
}

/** A figure and its limit. */
export interface Target {
  readonly what: string
  /** Undefined: it could not be measured; a note has the reason. */
  readonly measured: number | undefined
  readonly limit: number
  /** Printed behind both figures. */
  readonly unit: string
  /** The sources of `measured`; absent if one figure of ours is compared with another of ours. */
  readonly sides?: Sides
}

/** The same figure of every participant, in one run. */
export interface Sides {
  readonly unit: string
  readonly rxpi: number | undefined
  readonly pi?: number | undefined
  /** The lower bound in bare Node. */
  readonly floor?: number | undefined
}

export interface Report {
  readonly tables: readonly Table[]
  readonly targets: readonly Target[]
  /** Explanations: the meaning of the figures, and omissions. */
  readonly notes: readonly string[]
}

export interface Benchmark {
  readonly name: string
  readonly about: string
  run(workspace: Workspace): Promise<Report>
}

/** The working environment of a benchmark, and everything that ends with it. */
export interface Workspace {
  /** The clone of rxpi. */
  readonly root: string
  /** A folder of this run alone, removed at its end in every case. */
  readonly folder: string
  /** Starts a process that is ended with the run if it still runs then. */
  readonly spawn: Spawn
}

export interface SpawnOptions {
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  readonly stdio: StdioOptions
}

export type Spawn = (command: string, args: readonly string[], options: SpawnOptions) => ChildProcess
