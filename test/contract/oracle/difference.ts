// The type of a deliberate difference: the lines that differ, and the reason.
import type { TracePart } from './agent-trace.ts'
import type { ReasonName } from './reasons.ts'

/** The lines at one position of pi's trace and at the same position of ours. */
export interface Hunk {
  readonly part: TracePart
  readonly pi: readonly string[]
  readonly ours: readonly string[]
}

export interface Difference extends Hunk {
  readonly because: ReasonName
}
