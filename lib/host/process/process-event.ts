// What a child process says while it lives, and what is known when it has ended.
import type { ProcessEntry } from './process-table.ts'

/** A piece of output as it came, decoded from UTF-8: no character is split, what is not UTF-8 is U+FFFD. */
export interface ProcessOutput {
  readonly type: 'output'
  readonly stream: 'stdout' | 'stderr'
  readonly text: string
}

/** The last event: nothing of the call is left but `survivors`. */
export interface ProcessEnd {
  readonly type: 'end'
  /** Null where a signal ended it. */
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  /** True where `endWhen$` ended it. */
  readonly cutShort: boolean
  /** What was still running when the program had ended by itself, and was ended. */
  readonly leftBehind: readonly ProcessEntry[]
  /** What could not be ended, as other users' processes cannot. */
  readonly survivors: readonly ProcessEntry[]
}

export type ProcessEvent = ProcessOutput | ProcessEnd
