// Verifies every line of a log whole; changes nothing.
import type { BlobFolder } from '../blobs/blob-folder.ts'
import { inspectLog, withLogToInspect } from './inspect-log.ts'
import type { LogDamage } from './inspect-log.ts'

export interface LogVerdict {
  readonly file: string
  /** Every line is valid, the last one is complete, and all named blobs are present. */
  readonly clean: boolean
  /** Number of lines. */
  readonly lines: number
  /** The last valid number. */
  readonly head: number
  /** Number of damaged lines … */
  readonly damaged: number
  /** … and the first 1,000 of them. */
  readonly damages: readonly LogDamage[]
}

/** Damages listed one by one. */
const maxDamages = 1_000

/**
 * One step a line, to let other work run (`inSlices`), then the verdict.
 * @param file absolute
 * @param blobs first source of its blobs; then the home that a log at this path belongs to
 * @throws Failure `storage`, `bad_request` if it is not a file
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
      if (damages.length < maxDamages) damages.push(damage)
    }
    return { file, clean: damaged === 0, lines, head, damaged, damages }
  })
}
