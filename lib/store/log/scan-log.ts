// Checks every line of a log when it opens: checksums, and numbers without a gap.
// Writes nothing.
import type { SessionHeader } from '../../streams/log/log-line.ts'
import { Failure } from '../../streams/values/failure.ts'
import { damagedLine } from '../lines/damage-report.ts'
import type { StateSnapshotFile } from './state-snapshot-file.ts'
import { createEntryTreeCheck } from '../lines/entry-tree-check.ts'
import type { LineHead } from '../lines/peek-line.ts'
import { readLineHead } from '../lines/peek-line.ts'
import type { LineIndex } from '../lines/line-index.ts'
import { createLineIndex } from '../lines/line-index.ts'
import { lineIsSealed } from '../lines/line-checksum.ts'
import { parseHeader } from '../lines/parse-header.ts'
import type { LineSource } from '../lines/read-lines.ts'
import { readLines, withoutTrailingNuls } from '../lines/read-lines.ts'
import type { NumberedHead, IdleLogState, IdleStateFold } from './idle-state-fold.ts'

/** Position of a line. */
export interface LinePosition {
  /** Bytes before it. */
  readonly offset: number
  /** Line number in the file, from 1. */
  readonly line: number
}

/** Content of a log. */
export interface LogContents {
  readonly header: SessionHeader
  readonly headerLine: string
  /** The last `seq`, 0 if there is none. */
  readonly head: number
  /** Number of lines, line 1 and checkpoints included. */
  readonly lines: number
  /** Bytes of all valid lines, the last line feed included. */
  readonly size: number
  readonly index: LineIndex
  /** Offset of the last line in bytes, if that line is numbered. */
  readonly last?: number | undefined
  /** The first checkpoint line of an unfinished message; absent if there is none. */
  readonly unfinished?: LinePosition
}

export interface ScannedLog {
  /** Up to the damage, if there is any. */
  readonly contents: LogContents
  /**
   * `torn`: incomplete text follows `contents.size`; `unended`: only the last line feed is missing, NULs may follow.
   */
  readonly end: 'whole' | 'torn' | 'unended'
  /** Present if requested and nothing is damaged. */
  readonly idleState?: IdleLogState | undefined
  /** The failure of the first invalid line; nothing behind it was read. */
  readonly damage?: Failure
}

export interface LogToScan {
  /** File name for error texts. */
  readonly file: string
  readonly source: LineSource
  /** A snapshot that covers the lines up to `end`, which are then not checked, except line 1. Default: none. */
  readonly snapshot?: StateSnapshotFile | undefined
  /** Receives each numbered line. Default: none. */
  readonly fold?: IdleStateFold | undefined
  /** How to treat a last line that lacks only its line feed; while another process writes, it may still change. */
  readonly unended: 'kept' | 'left out'
}

/**
 * Reads a whole log piece by piece, up to its first damaged line.
 * @throws Failure `read_only` if line 1 is damaged, `unsupported_version`
 */
export function scanLog({ file, source, unended, snapshot, fold }: LogToScan): ScannedLog {
  const scan = createLogScan(file, fold)
  if (snapshot !== undefined) skipSnapshotLines(scan, source, snapshot)
  for (const { bytes, offset, ended } of readLines({ ...source, from: snapshot?.end ?? source.from })) {
    const line = ended ? bytes : withoutTrailingNuls(bytes)
    if (!ended && (unended === 'left out' || !lineIsSealed(line)))
      return { contents: scan.contents(), end: 'torn', idleState: fold?.idleState() }
    const damage = scan.line(line, offset)
    if (damage !== undefined) return { contents: scan.contents(), end: 'whole', damage }
    if (!ended) return { contents: scan.contents(), end: 'unended', idleState: fold?.idleState() }
  }
  return { contents: scan.contents(), end: 'whole', idleState: fold?.idleState() }
}

function skipSnapshotLines(scan: LogScan, source: LineSource, snapshot: StateSnapshotFile): void {
  for (const { bytes, offset } of readLines({ ...source, end: () => Math.min(source.end(), snapshot.end) })) {
    scan.line(bytes, offset) // line 1: throws if it is damaged
    break
  }
  scan.skip(snapshot)
}

/** Consumes the lines of a log, from line 1 on. */
interface LogScan {
  /** Consumes the next line; returns the failure if it is damaged. @throws Failure of line 1 */
  line(bytes: Buffer, offset: number): Failure | undefined
  /** Continues after a snapshot. */
  skip(snapshot: StateSnapshotFile): void
  contents(): LogContents
}

/** @param fold receives each numbered line */
export function createLogScan(file: string, fold?: IdleStateFold): LogScan {
  const index = createLineIndex()
  const tree = createEntryTreeCheck()
  let first: { readonly header: SessionHeader; readonly headerLine: string } | undefined
  let head = 0
  let lines = 0
  let size = 0
  let last: number | undefined
  let unfinished: LinePosition | undefined
  let checkpoint: Buffer | undefined // the line before, if it was a checkpoint: checkpoints have no number that would reveal a repeat

  function faultOf(found: LineHead | string, bytes: Buffer): string | undefined {
    if (typeof found === 'string') return found
    return found.seq === undefined ? repeatProblem(checkpoint, bytes) : tree.problem(bytes, found)
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

function repeatProblem(checkpoint: Buffer | undefined, bytes: Buffer): string | undefined {
  return checkpoint?.equals(bytes) === true ? 'it repeats the line before it' : undefined
}

function isNumbered(head: LineHead): head is NumberedHead {
  return head.seq !== undefined
}

/** A line's head, or why the line is invalid. */
function checkHead(bytes: Buffer, next: number): LineHead | string {
  if (!lineIsSealed(bytes)) return 'its checksum is missing or wrong'
  const found = readLineHead(bytes)
  if (found === undefined) return 'it is not a line of a session'
  if (found.seq !== undefined && found.seq !== next) return `its number is ${found.seq} but ${next} was expected`
  return found
}

function readHeader(file: string, bytes: Buffer): { header: SessionHeader; headerLine: string } {
  const parsed = parseHeader(bytes)
  if (parsed.ok) return { header: parsed.header, headerLine: parsed.line }
  if (parsed.fault === 'damaged') throw damagedLine({ file, line: 1, problem: parsed.problem })
  const message = `${file} has log version ${parsed.version}; this rxpi reads version 1: open it with the rxpi that wrote it`
  throw new Failure('unsupported_version', message, { data: { file, version: parsed.version } })
}
