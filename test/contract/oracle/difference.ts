// A deliberate difference says line by line what differs and, by its reason, why: nothing is waved through as a whole.
import type { CoursePart } from './course.ts'
import type { ReasonName } from './reasons.ts'

/** What stands in one place of pi's course and what stands there in ours. */
export interface Hunk {
  readonly part: CoursePart
  readonly pi: readonly string[]
  readonly ours: readonly string[]
}

export interface Difference extends Hunk {
  readonly because: ReasonName
}
