// Inspects every line of a log whole, past any damage; writes nothing.
import { blobReferencesIn } from '../../streams/log/externalise-content.ts'
import type { SessionHeader, SessionRecord } from '../../streams/log/log-line.ts'
import type { FoundBlobs } from '../blobs/find-blobs.ts'
import { createEntryTreeCheck } from '../lines/entry-tree-check.ts'
import { lineIsSealed } from '../lines/line-checksum.ts'
import { parseHeader } from '../lines/parse-header.ts'
import { parseLine } from '../lines/parse-line.ts'
import type { LineSource } from '../lines/read-lines.ts'
import { sessionIdOfFile } from '../lines/log-file-name.ts'
import { readLines, withoutTrailingNuls } from '../lines/read-lines.ts'
import { constants } from 'node:fs'
import { errnoOf, storageFailure } from '../../host/files/storage-failure.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { BlobFolder } from '../blobs/blob-folder.ts'
import { nodeFileSystem } from '../disk/file-system-port.ts'
import { blobsOfFile } from '../blobs/find-blobs.ts'
import { lockHolder } from '../locks/session-lock.ts'

/**
 * `header`: line 1 · `version`: line 1 is of another version · `checksum` · `content`: invalid despite a correct
 * checksum · `number`: repeated, missing or misplaced · `line_end`: CR LF · `torn`: the last line is incomplete ·
 * `blob`: content that the line names is missing or altered.
 */
export type DamageKind = 'header' | 'version' | 'checksum' | 'content' | 'number' | 'line_end' | 'torn' | 'blob'

export interface LogDamage {
  /** Counted from 1. */
  readonly line: number
  readonly kind: DamageKind
  /** As in `its checksum is wrong`. */
  readonly problem: string
}

export interface InspectedLine {
  readonly line: number
  /** Its bytes without line feed and carriage return; valid until the next line is requested. */
  readonly text: Buffer
  readonly damage?: LogDamage
  /** Of line 1, if it is valid. */
  readonly header?: SessionHeader
  /** The valid record, even if its position in the file may be wrong. */
  readonly record?: SessionRecord
  /** Numbered lines missing before it; damaged lines in between may be some of them. */
  readonly missing: number
}

export interface LogToInspect {
  readonly file: string
  readonly source: LineSource
  /** Another process writes the log: text after the last line feed is incomplete, not damage. */
  readonly isLive: boolean
  /** Source of the log's blobs. Absent: blobs are not checked. */
  readonly blobs?: Pick<FoundBlobs, 'faultOf'>
}

/** A larger gap means that the number itself is wrong. */
const maxMissing = 100_000

/** The lines of a log in order, each with its damage. Leaves out a line that is being written. */
export function* inspectLog({ file, source, isLive, blobs }: LogToInspect): Generator<InspectedLine, void> {
  const numbers = createNumberCheck()
  const checkpoints = createRepeatCheck()
  const tree = createEntryTreeCheck()
  let line = 0
  for (const { bytes, ended } of readLines(source)) {
    if (!ended && isLive) break
    line += 1
    const faultOf = (kind: DamageKind, problem: string): LogDamage => ({ line, kind, problem })
    const split = splitLineEnd(ended ? bytes : withoutTrailingNuls(bytes), ended, faultOf)
    const found =
      line === 1
        ? headerOf(file, split, faultOf)
        : checkpoints.check(numbers.check(recordOf(split, faultOf), faultOf), split.text, faultOf)
    const problem = found.record === undefined ? undefined : tree.problem(split.text)
    const placed = problem === undefined ? found : { damage: faultOf('content', problem), missing: found.missing }
    yield { line, text: split.text, ...withContent(placed, faultOf, blobs) }
  }
  if (line === 0) yield { line: 1, text: Buffer.alloc(0), damage: emptyFile, missing: 0 }
}

/** A valid line may refer to a missing blob. */
function withContent(found: RecordFinding, faultOf: FaultOf, blobs: LogToInspect['blobs']): RecordFinding {
  if (found.record === undefined || found.damage !== undefined) return found
  for (const reference of blobReferencesIn(found.record.event)) {
    const problem = blobs?.faultOf(reference)
    if (problem !== undefined) return { ...found, damage: faultOf('blob', problem) }
  }
  return found
}

const emptyFile: LogDamage = { line: 1, kind: 'header', problem: 'the file is empty' }

type FaultOf = (kind: DamageKind, problem: string) => LogDamage

interface SplitLine {
  /** The line without damage to its end. */
  readonly text: Buffer
  readonly damage?: LogDamage
}

/** Damage to the line's end. */
function splitLineEnd(bytes: Buffer, ended: boolean, faultOf: FaultOf): SplitLine {
  if (!ended) {
    const problem = lineIsSealed(bytes) ? 'only its line feed is missing' : 'it is not complete'
    return { text: bytes, damage: faultOf('torn', problem) }
  }
  const text = bytes.subarray(0, -1)
  if (bytes.at(-1) !== carriageReturn || !lineIsSealed(text)) return { text: bytes }
  return { text, damage: faultOf('line_end', 'it ends in CR LF instead of LF') }
}

const carriageReturn = 13

function headerOf(file: string, { text, damage }: SplitLine, faultOf: FaultOf): RecordFinding {
  const parsed = parseHeader(text)
  if (!parsed.ok) {
    if (parsed.fault === 'version')
      return { damage: faultOf('version', `its version is ${parsed.version}`), missing: 0 }
    return { damage: damage ?? faultOf('header', parsed.problem), missing: 0 }
  }
  const { header } = parsed
  const id = sessionIdOfFile(file)
  if (id !== undefined && id !== header.id) {
    return { damage: faultOf('header', `it is the header of session ${header.id}`), missing: 0 }
  }
  return { header, ...(damage === undefined ? {} : { damage }), missing: 0 }
}

type RecordFinding = Omit<InspectedLine, 'line' | 'text'>

interface FoundRecord {
  readonly damage?: LogDamage
  readonly record?: SessionRecord
}

function recordOf({ text, damage }: SplitLine, faultOf: FaultOf): FoundRecord {
  const parsed = parseLine(text)
  if (parsed.ok) return { record: parsed.record, ...(damage === undefined ? {} : { damage }) }
  return { damage: damage ?? faultOf(parsed.fault === 'wrong_crc' ? 'checksum' : 'content', parsed.problem) }
}

/** A checkpoint has no number that would reveal a repeat. */
function createRepeatCheck() {
  let before: Buffer | undefined

  function check(found: RecordFinding, text: Buffer, faultOf: FaultOf): RecordFinding {
    if (found.record === undefined) return found // an invalid line does not separate repeats
    const isCheckpoint = found.record.seq === undefined
    const isRepeated = isCheckpoint && before?.equals(text) === true
    before = isCheckpoint ? Buffer.from(text) : undefined
    if (!isRepeated) return found
    return { damage: found.damage ?? faultOf('number', 'it repeats the line before it'), missing: 0 }
  }
  return { check }
}

/** Tracks the numbers; after damage it continues with the next valid line. */
function createNumberCheck() {
  let next = 1
  let damaged = 0 // damaged lines since the last number: each may be one of the missing ones

  function checkNumber(found: FoundRecord, faultOf: FaultOf): RecordFinding {
    const seq = found.record?.seq
    if (found.record === undefined) damaged += 1
    if (seq === undefined) return { ...found, missing: 0 }
    const missing = seq - next
    if (missing < 0 || missing > maxMissing) {
      const problem = `its number is ${seq} but ${next} was expected`
      return { damage: found.damage ?? faultOf('number', problem), missing: 0 }
    }
    const unexplained = missing - damaged
    next = seq + 1
    damaged = 0
    if (unexplained <= 0) return { ...found, missing }
    const problem = `its number is ${seq}: ${unexplained === 1 ? 'a line is' : `${unexplained} lines are`} missing before it`
    return { ...found, damage: found.damage ?? faultOf('number', problem), missing }
  }
  return { check: checkNumber }
}

// Opens a log for inspection: read-only, and closed in every case.

interface FileToInspect {
  /** Absolute. */
  readonly file: string
  /** First source of its blobs; then the home that a log at this path belongs to. */
  readonly blobs?: BlobFolder | undefined
}

/**
 * The steps of `inspect`, with its result; a living holder's last line may be growing. @throws Failure `bad_request` if
 * it is not a file, `storage`, and whatever `inspect` throws
 */
export function* withLogToInspect<Result>(
  { file, blobs }: FileToInspect,
  inspect: (log: LogToInspect & { readonly blobs: FoundBlobs }) => Generator<undefined, Result>,
): Generator<undefined, Result> {
  const files = nodeFileSystem
  const isLive = lockHolder(file) !== undefined
  const descriptor = openLog(file)
  try {
    const { size, isFile } = statusOf(descriptor)
    if (!isFile) throw new Failure('bad_request', `${file} is not a file; name a session's log`)
    const read = (buffer: Buffer, length: number, position: number): number =>
      files.readSync(descriptor, buffer, 0, length, position)
    return yield* inspect({ file, isLive, source: { read, from: 0, end: () => size }, blobs: blobsOfFile(file, blobs) })
  } catch (thrown) {
    throw storageFailure(`read ${file}`, thrown)
  } finally {
    files.closeSync(descriptor)
  }
}

function openLog(file: string): number {
  try {
    return nodeFileSystem.openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') throw new Failure('bad_request', `There is no file ${file}`)
    throw storageFailure(`open ${file}`, thrown)
  }
}

function statusOf(descriptor: number): { readonly size: number; readonly isFile: boolean } {
  const status = nodeFileSystem.fstatSync(descriptor)
  return { size: status.size, isFile: status.isFile() }
}
