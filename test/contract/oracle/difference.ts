// The type of a deliberate difference: the lines that differ, and the reason.
import type { CoursePart } from './course.ts'
import type { ReasonName } from './reasons.ts'

/** The lines at one position of pi's course and at the same position of ours. */
export interface Hunk {
  readonly part: CoursePart
  readonly pi: readonly string[]
  readonly ours: readonly string[]
}

export interface Difference extends Hunk {
  readonly because: ReasonName
}
