// Every line of a log is looked at whole, and what is wrong with one keeps nobody from looking at the next; nothing is written here.
import path from 'node:path'
import { blobReferencesIn } from '../../streams/log/externalise-content.ts'
import type { SessionHeader, SessionRecord } from '../../streams/log/log-line.ts'
import type { FoundBlobs } from '../blobs/found-blobs.ts'
import { lineIsSealed } from '../lines/line-checksum.ts'
import { parseHeader } from '../lines/parse-header.ts'
import { parseLine } from '../lines/parse-line.ts'
import type { LineSource } from '../lines/read-lines.ts'
import { readLines } from '../lines/read-lines.ts'
import { constants } from 'node:fs'
import { errnoOf, storageFailure } from '../../host/files/storage-failure.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { BlobFolder } from '../blobs/blob-folder.ts'
import { nodeFileSystem } from '../disk/file-system-port.ts'
import { blobsOfFile } from '../blobs/found-blobs.ts'
import { lockHolder } from '../locks/session-lock.ts'

/**
 * `header`: line 1 · `version`: line 1 is of another version · `checksum` · `content`: wrong under a right checksum ·
 * `number`: a repeated, missing or misplaced one · `line_end`: CR LF · `torn`: the last line is not complete · `blob`: content
 * that the line names is missing or altered.
 */
export type DamageKind = 'header' | 'version' | 'checksum' | 'content' | 'number' | 'line_end' | 'torn' | 'blob'

export interface LogDamage {
  /** From 1. */
  readonly line: number
  readonly kind: DamageKind
  /** As in `its checksum is wrong`. */
  readonly problem: string
}

export interface InspectedLine {
  readonly line: number
  /** Its bytes without line feed and carriage return; valid until the next line is asked for. */
  readonly text: Buffer
  readonly damage?: LogDamage
  /** Of line 1, where it can be believed. */
  readonly header?: SessionHeader
  /** What can be believed, though its place in the file may be wrong. */
  readonly record?: SessionRecord
  /** How many numbered lines are missing before it; damaged lines between may be some of them. */
  readonly missing: number
}

export interface LogToInspect {
  readonly file: string
  readonly source: LineSource
  /** A process writes it now: what stands after the last line feed is not complete yet, and no damage. */
  readonly isLive: boolean
  /** Where its large content is looked for. Absent: that is not looked at. */
  readonly blobs?: Pick<FoundBlobs, 'faultOf'>
}

/** More lines than this are not missing: the number is wrong. */
const mostMissing = 100_000

/** The lines of a log in order, each with what is wrong with it. A line that is being written now is left out. */
export function* inspectLog({ file, source, isLive, blobs }: LogToInspect): Generator<InspectedLine, void> {
  const numbers = createNumberCheck()
  const checkpoints = createRepeatCheck()
  let line = 0
  for (const { bytes, ended } of readLines(source)) {
    if (!ended && isLive) break
    line += 1
    const faultOf = (kind: DamageKind, problem: string): LogDamage => ({ line, kind, problem })
    const looked = splitLineEnd(ended ? bytes : withoutNuls(bytes), ended, faultOf)
    const found =
      line === 1
        ? headerOf(file, looked, faultOf)
        : checkpoints.check(numbers.place(recordOf(looked, faultOf), faultOf), looked.text, faultOf)
    yield { line, text: looked.text, ...withContent(found, faultOf, blobs) }
  }
  if (line === 0) yield { line: 1, text: Buffer.alloc(0), damage: notThere, missing: 0 }
}

/** A line that is itself whole may name what is not. */
function withContent(found: RecordFinding, faultOf: FaultOf, blobs: LogToInspect['blobs']): RecordFinding {
  if (found.record === undefined || found.damage !== undefined) return found
  for (const reference of blobReferencesIn(found.record.event)) {
    const problem = blobs?.faultOf(reference)
    if (problem !== undefined) return { ...found, damage: faultOf('blob', problem) }
  }
  return found
}

const notThere: LogDamage = { line: 1, kind: 'header', problem: 'the file is empty' }

type FaultOf = (kind: DamageKind, problem: string) => LogDamage

interface SplitLine {
  /** The line without what is wrong with its end. */
  readonly text: Buffer
  readonly damage?: LogDamage
}

/** What is wrong with the line's end. */
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
  const id = /_([a-z2-7]{12})\.jsonl$/.exec(path.basename(file))?.[1]
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

/** A checkpoint has no number that would show that it stands there twice. */
function createRepeatCheck() {
  let before: Buffer | undefined

  function check(found: RecordFinding, text: Buffer, faultOf: FaultOf): RecordFinding {
    if (found.record === undefined) return found // what cannot be believed does not stand between
    const isCheckpoint = found.record.seq === undefined
    const isRepeated = isCheckpoint && before?.equals(text) === true
    before = isCheckpoint ? Buffer.from(text) : undefined
    if (!isRepeated) return found
    return { damage: found.damage ?? faultOf('number', 'it repeats the line before it'), missing: 0 }
  }
  return { check }
}

/** Follows the numbers; after damage they go on with the next line that can be believed. */
function createNumberCheck() {
  let next = 1
  let damaged = 0 // lines since the last number: each may have been one of those that are missing

  function checkNumber(found: FoundRecord, faultOf: FaultOf): RecordFinding {
    const seq = found.record?.seq
    if (found.record === undefined) damaged += 1
    if (seq === undefined) return { ...found, missing: 0 }
    const missing = seq - next
    if (missing < 0 || missing > mostMissing) {
      const problem = `its number is ${seq} where ${next} comes next`
      return { damage: found.damage ?? faultOf('number', problem), missing: 0 }
    }
    const unexplained = missing - damaged
    next = seq + 1
    damaged = 0
    if (unexplained <= 0) return { ...found, missing }
    const problem = `its number is ${seq}: ${unexplained === 1 ? 'a line is' : `${unexplained} lines are`} missing before it`
    return { ...found, damage: found.damage ?? faultOf('number', problem), missing }
  }
  return { place: checkNumber }
}

/** A crash can leave NULs where a file had grown but its bytes had not been written. */
function withoutNuls(bytes: Buffer): Buffer {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end -= 1
  return bytes.subarray(0, end)
}

// A log is inspected as it stands: opened for reading alone, and closed whatever comes of it.

interface FileToInspect {
  /** Absolute. */
  readonly file: string
  /** Where its large content is looked for first; then in the home in which a log of that name would lie. */
  readonly blobs?: BlobFolder | undefined
}

/** The steps of `inspect`, and what it makes of the file; a live holder's last line may be growing. @throws Failure `bad_request` where it is no file, `storage`, and what `inspect` throws */
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
