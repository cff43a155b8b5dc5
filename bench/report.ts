// What a benchmark tells: tables of raw figures, and targets that are reached or missed.
import type { ChildProcess, StdioOptions } from 'node:child_process'

/** A number is raw; how it is written stands in its column. */
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

/** A figure and what it must not exceed. */
export interface Target {
  readonly what: string
  /** Undefined: it could not be measured; a note says why. */
  readonly measured: number | undefined
  readonly limit: number
  /** Written behind both figures. */
  readonly unit: string
  /** What `measured` was made of; absent where a figure of ours is held to another of ours. */
  readonly sides?: Sides
}

/** The same of everybody, in one run. */
export interface Sides {
  readonly unit: string
  readonly rxpi: number | undefined
  readonly pi?: number | undefined
  /** Of the least that bare Node could do it with. */
  readonly floor?: number | undefined
}

export interface Report {
  readonly tables: readonly Table[]
  readonly targets: readonly Target[]
  /** Lines for people: what the figures mean and what was left out. */
  readonly notes: readonly string[]
}

export interface Benchmark {
  readonly name: string
  readonly about: string
  run(workspace: Workspace): Promise<Report>
}

/** Where a benchmark works and what ends with it. */
export interface Workspace {
  /** The clone of rxpi. */
  readonly root: string
  /** A folder of this run alone, removed at its end, whatever happens. */
  readonly folder: string
  /** Starts a process that is ended with the run, should it still be on. */
  readonly spawn: Spawn
}

export interface SpawnOptions {
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  readonly stdio: StdioOptions
}

export type Spawn = (command: string, args: readonly string[], options: SpawnOptions) => ChildProcess
