// Defines the events of a child process: output, and its end.
import type { ProcessEntry } from './process-table.ts'

/** A chunk of output decoded from UTF-8: no character is split, invalid bytes become U+FFFD. */
export interface ProcessOutput {
  readonly type: 'output'
  readonly stream: 'stdout' | 'stderr'
  readonly text: string
}

/** The last event: no process of the call is left but `survivors`. */
export interface ProcessEnd {
  readonly type: 'end'
  /** Null if a signal ended it. */
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  /** True if `endWhen$` ended it. */
  readonly cutShort: boolean
  /** Processes that outlived the program and were ended. */
  readonly leftBehind: readonly ProcessEntry[]
  /** Processes that could not be ended, such as other users'. */
  readonly survivors: readonly ProcessEntry[]
}

export type ProcessEvent = ProcessOutput | ProcessEnd
