// Reads records lazily from a log file, checks each line whole, and stops at the first invalid one.
import { Failure } from '../../streams/values/failure.ts'
import type { SessionRecord } from '../../streams/log/log-line.ts'
import { damagedLine } from '../lines/damage-report.ts'
import { readLineHead } from '../lines/peek-line.ts'
import { parseLine } from '../lines/parse-line.ts'
import type { LineSource } from '../lines/read-lines.ts'
import { readLines } from '../lines/read-lines.ts'
import type { LinePosition } from './scan-log.ts'

export interface RecordSource extends Omit<LineSource, 'from'> {
  /** File name for error texts. */
  readonly file: string
  /** Receives the position and expected number of a damaged line, before the failure is thrown. */
  damaged?(failure: Failure, position: RecordPosition): void
}

export interface WantedRecords {
  readonly after: number
  readonly only?: ReadonlySet<string> | undefined
}

/** A line, and the number of the first numbered line from there on. */
export type RecordPosition = LinePosition & { readonly seq: number }

/**
 * The numbered records after `after`, in order.
 * @param start a line that is not after the first of them
 * @param wanted types of event; lines of other types are not checked. Default: all
 * @throws Failure `read_only` naming the line
 */
export function* readRecords(
  source: RecordSource,
  start: RecordPosition,
  { after, only }: WantedRecords,
): Generator<SessionRecord, void> {
  let { seq, line } = start
  for (const { bytes, offset } of readLines({ ...source, from: start.offset })) {
    const head = readLineHead(bytes)
    const numbered = head?.seq !== undefined
    if (numbered && seq > after && only?.has(head.type) !== false) {
      const checked = checkRecord(source, bytes, { seq, line })
      if (checked instanceof Failure) {
        source.damaged?.(checked, { offset, line, seq })
        throw checked
      }
      yield checked
    }
    if (numbered) seq += 1
    line += 1
  }
}

/** The checkpoint records from `start` on, in order. @throws Failure `read_only` naming the line */
export function* readCheckpoints(source: RecordSource, start: LinePosition): Generator<SessionRecord, void> {
  let { line } = start
  for (const { bytes } of readLines({ ...source, from: start.offset })) {
    if (readLineHead(bytes)?.seq === undefined) {
      const checked = checkRecord(source, bytes, { line })
      if (checked instanceof Failure) throw checked
      yield checked
    }
    line += 1
  }
}

interface ExpectedLine {
  /** Absent: a checkpoint. */
  readonly seq?: number
  readonly line: number
}

/** The line as the expected record, or the failure. */
export function checkRecord(
  { file }: Pick<RecordSource, 'file'>,
  bytes: Buffer,
  { seq, line }: ExpectedLine,
): SessionRecord | Failure {
  const parsed = parseLine(bytes)
  if (!parsed.ok) return damagedLine({ file, line, problem: parsed.problem })
  if (parsed.record.seq === seq) return parsed.record
  return damagedLine({ file, line, problem: `its number is not ${seq === undefined ? 'absent' : String(seq)}` })
}
