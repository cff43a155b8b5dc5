// Records are read from the file as they are asked for; each is checked whole, and a line that is not what it should be ends the reading.
import type { SessionRecord } from '../streams/session-record.ts'
import { damagedLine } from './damaged-line.ts'
import { lineHead } from './line-head.ts'
import { parseLine } from './parse-line.ts'
import type { LineSource } from './read-lines.ts'
import { readLines } from './read-lines.ts'
import type { LinePlace } from './scan-log.ts'

export interface RecordSource extends Omit<LineSource, 'from'> {
  /** The file's name, for errors. */
  readonly file: string
}

/**
 * The numbered records after `after`, in order.
 * @param start a line that is not behind the first of them, and the number of the first numbered line from there on
 * @throws Failure `read_only` naming the line
 */
export function* readRecords(
  source: RecordSource,
  start: LinePlace & { readonly seq: number },
  after: number,
): Generator<SessionRecord, void> {
  let { seq, line } = start
  for (const { bytes } of readLines({ ...source, from: start.offset })) {
    const numbered = lineHead(bytes)?.seq !== undefined
    if (numbered && seq > after) yield checkedRecord(source, bytes, { seq, line })
    if (numbered) seq += 1
    line += 1
  }
}

/** The checkpoint records from `start` on, in order. @throws Failure `read_only` naming the line */
export function* readCheckpoints(source: RecordSource, start: LinePlace): Generator<SessionRecord, void> {
  let { line } = start
  for (const { bytes } of readLines({ ...source, from: start.offset })) {
    if (lineHead(bytes)?.seq === undefined) yield checkedRecord(source, bytes, { line })
    line += 1
  }
}

interface ExpectedLine {
  readonly seq?: number
  readonly line: number
}

function checkedRecord({ file }: RecordSource, bytes: Buffer, { seq, line }: ExpectedLine): SessionRecord {
  const parsed = parseLine(bytes)
  if (!parsed.ok) throw damagedLine({ file, line, problem: parsed.problem })
  if (parsed.record.seq === seq) return parsed.record
  throw damagedLine({ file, line, problem: `its number is not ${seq === undefined ? 'absent' : String(seq)}` })
}
