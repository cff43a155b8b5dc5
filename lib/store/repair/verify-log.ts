// Verifying reads every line of a log whole and changes nothing.
import type { BlobFolder } from '../blobs/blob-folder.ts'
import { inspectLog } from './inspect-log.ts'
import type { LogDamage } from './inspect-log.ts'
import { withLogToInspect } from './inspect-log.ts'

export interface LogVerdict {
  readonly file: string
  /** No line is damaged, the last one is complete, and the content that lines name is there. */
  readonly clean: boolean
  /** How many lines it has. */
  readonly lines: number
  /** The last number that can be believed. */
  readonly head: number
  /** How many lines are damaged … */
  readonly damaged: number
  /** … and the first 1,000 of them. */
  readonly damages: readonly LogDamage[]
}

/** How many damages are told one by one. */
const mostDamages = 1_000

/**
 * One step a line, so that others have their turn (`inSlices`), then the verdict.
 * @param file absolute
 * @param blobs where its large content is looked for first; then in the home in which a log of that name would lie
 * @throws Failure `storage`, `bad_request` where it is no file
 */
export function verifyLog(file: string, blobs?: BlobFolder): Generator<undefined, LogVerdict> {
  return withLogToInspect({ file, blobs }, function* (log) {
    const damages: LogDamage[] = []
    let damaged = 0
    let lines = 0
    let head = 0
    for (const { line, damage, record } of inspectLog(log)) {
      yield
      lines = line
      head = record?.seq ?? head
      if (damage === undefined) continue
      damaged += 1
      if (damages.length < mostDamages) damages.push(damage)
    }
    return { file, clean: damaged === 0, lines, head, damaged, damages }
  })
}
