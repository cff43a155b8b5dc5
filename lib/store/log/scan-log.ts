// Every line of a log is checked — its checksum, and numbers without a hole — before a session goes on with it; nothing is written here.
import type { SessionHeader } from '../../streams/log/log-line.ts'
import { Failure } from '../../streams/values/failure.ts'
import { damagedLine } from '../lines/damage-report.ts'
import type { StateSnapshotFile } from './state-snapshot-file.ts'
import type { LineHead } from '../lines/peek-line.ts'
import { readLineHead } from '../lines/peek-line.ts'
import type { LineIndex } from '../lines/line-index.ts'
import { createLineIndex } from '../lines/line-index.ts'
import { lineIsSealed } from '../lines/line-checksum.ts'
import { parseHeader } from '../lines/parse-header.ts'
import type { LineSource } from '../lines/read-lines.ts'
import { readLines } from '../lines/read-lines.ts'
import type { NumberedHead, IdleLogState, IdleStateFold } from './fold-log-tail.ts'

/** Where a line stands. */
export interface LinePosition {
  /** Bytes before it. */
  readonly offset: number
  /** Its number in the file, from 1. */
  readonly line: number
}

/** What stands in a log. */
export interface LogContents {
  readonly header: SessionHeader
  readonly headerLine: string
  /** The last `seq`, 0 while there is none. */
  readonly head: number
  /** How many lines, line 1 and checkpoints included. */
  readonly lines: number
  /** Bytes of the lines that count, the last line's feed included. */
  readonly size: number
  readonly index: LineIndex
  /** Where the last line begins, in bytes, where it has a number. */
  readonly last?: number | undefined
  /** The first checkpoint line of a message that has not ended; absent where there is none. */
  readonly unfinished?: LinePosition
}

export interface ScannedLog {
  /** Up to the damage, where there is any. */
  readonly contents: LogContents
  /** `torn`: what stands after `contents.size` is no line; `unended`: only the last line's feed is missing, NULs may follow. */
  readonly end: 'whole' | 'torn' | 'unended'
  /** Where it was asked for, and nothing is damaged. */
  readonly rested?: IdleLogState | undefined
  /** The first line that is not what it should be; nothing behind it was looked at. */
  readonly damage?: Failure
}

export interface LogToScan {
  /** Its name, for errors. */
  readonly file: string
  readonly source: LineSource
  /** What covers the lines up to `end`, which are then not looked at, line 1 excepted. Default: nothing. */
  readonly snapshot?: StateSnapshotFile | undefined
  /** Told of each numbered line. Default: nothing. */
  readonly fold?: IdleStateFold | undefined
  /** What becomes of a last line that lacks only its line feed; while another process writes, it may yet be undone. */
  readonly unended: 'kept' | 'left out'
}

/**
 * Reads a whole log, one piece at a time, or up to its first damaged line.
 * @throws Failure `read_only` where line 1 is damaged, `unsupported_version`
 */
export function scanLog({ file, source, unended, snapshot: snapshot, fold }: LogToScan): ScannedLog {
  const scan = createLogScan(file, fold)
  if (snapshot !== undefined) skipSnapshotLines(scan, source, snapshot)
  for (const { bytes, offset, ended } of readLines({ ...source, from: snapshot?.end ?? source.from })) {
    const line = ended ? bytes : withoutNuls(bytes)
    if (!ended && (unended === 'left out' || !lineIsSealed(line)))
      return { contents: scan.contents(), end: 'torn', rested: fold?.rested() }
    const damage = scan.line(line, offset)
    if (damage !== undefined) return { contents: scan.contents(), end: 'whole', damage }
    if (!ended) return { contents: scan.contents(), end: 'unended', rested: fold?.rested() }
  }
  return { contents: scan.contents(), end: 'whole', rested: fold?.rested() }
}

function skipSnapshotLines(scan: LogScan, source: LineSource, snapshot: StateSnapshotFile): void {
  for (const { bytes, offset } of readLines({ ...source, end: () => Math.min(source.end(), snapshot.end) })) {
    scan.line(bytes, offset) // line 1: throws where that is damaged
    break
  }
  scan.skip(snapshot)
}

/** Takes the lines of a log in, from line 1 on. */
interface LogScan {
  /** Takes the next line in; why not, where it is damaged. @throws Failure of line 1 */
  line(bytes: Buffer, offset: number): Failure | undefined
  /** Goes on behind what is kept. */
  skip(snapshot: StateSnapshotFile): void
  contents(): LogContents
}

/** @param fold told of each numbered line */
export function createLogScan(file: string, fold?: IdleStateFold): LogScan {
  const index = createLineIndex()
  let first: { readonly header: SessionHeader; readonly headerLine: string } | undefined
  let head = 0
  let lines = 0
  let size = 0
  let last: number | undefined
  let unfinished: LinePosition | undefined
  let checkpoint: Buffer | undefined // the line before, where it was one: they have no number that would show a repeated one

  function faultOf(found: LineHead | string, bytes: Buffer): string | undefined {
    if (typeof found === 'string') return found
    return found.seq === undefined && checkpoint?.equals(bytes) === true ? 'it repeats the line before it' : undefined
  }
  function take(found: LineHead, position: LinePosition, bytes: Buffer): void {
    const numbered = isNumbered(found)
    checkpoint = numbered ? undefined : Buffer.from(bytes)
    last = numbered ? position.offset : undefined
    if (numbered) {
      if (found.type === 'message_end') unfinished = undefined
      head = found.seq
      index.add({ seq: head, ...position })
      fold?.take(found, bytes, position.offset)
    } else unfinished ??= position
  }

  return {
    line(bytes, offset) {
      const position = { offset, line: lines + 1 }
      if (first === undefined) first = readHeader(file, bytes)
      else {
        const found = checkHead(bytes, head + 1)
        const problem = faultOf(found, bytes)
        if (problem !== undefined) return damagedLine({ file, line: position.line, problem })
        if (typeof found === 'object') take(found, position, bytes)
      }
      lines = position.line
      size = offset + bytes.length + 1
      return undefined
    },
    skip(snapshot) {
      ;[head, lines, size, last] = [snapshot.seq, snapshot.lines, snapshot.end, snapshot.last]
      index.add(snapshot.from)
      index.add({ seq: head + 1, offset: size, line: lines + 1 })
    },
    contents() {
      if (first === undefined) throw damagedLine({ file, line: 1, problem: 'it is not complete' })
      return { ...first, head, lines, size, index, last, ...(unfinished === undefined ? {} : { unfinished }) }
    },
  }
}

function isNumbered(head: LineHead): head is NumberedHead {
  return head.seq !== undefined
}

/** A line's head, or what is wrong with the line. */
function checkHead(bytes: Buffer, next: number): LineHead | string {
  if (!lineIsSealed(bytes)) return 'its checksum is missing or wrong'
  const found = readLineHead(bytes)
  if (found === undefined) return 'it is not a line of a session'
  if (found.seq !== undefined && found.seq !== next) return `its number is ${found.seq} where ${next} comes next`
  return found
}

function readHeader(file: string, bytes: Buffer): { header: SessionHeader; headerLine: string } {
  const parsed = parseHeader(bytes)
  if (parsed.ok) return { header: parsed.header, headerLine: parsed.line }
  if (parsed.fault === 'damaged') throw damagedLine({ file, line: 1, problem: parsed.problem })
  const message = `${file} has log version ${parsed.version}; this rxpi reads version 1: open it with the rxpi that wrote it`
  throw new Failure('unsupported_version', message, { data: { file, version: parsed.version } })
}

/** A crash can leave NULs where a file had grown but its bytes had not been written. */
function withoutNuls(bytes: Buffer): Buffer {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end -= 1
  return bytes.subarray(0, end)
}
