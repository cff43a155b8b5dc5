// What a session was is kept in one sealed line beside its log; a file that is torn, old or another session's counts as none.
import { closeSync, constants, ftruncateSync, openSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { StateSnapshot } from '../../streams/ports/session-log.ts'
import type { IndexedLine } from '../lines/line-index.ts'
import { lineIsSealed, sealLine } from '../lines/line-checksum.ts'
import { isRecord } from '../../streams/values/json.ts'
import type { FileSystemPort } from '../disk/file-system-port.ts'
import { readLineHead } from '../lines/peek-line.ts'
import { readLines } from '../lines/read-lines.ts'

/** What stands in the file: the session, and where it belongs in the log. */
export interface StateSnapshotFile extends StateSnapshot {
  /** `crc` of line 1. */
  readonly header: string
  /** Bytes of the lines that it covers, the last line's feed included. */
  readonly end: number
  /** Where the last of them begins: a numbered line. */
  readonly last: number
  /** How many they are, line 1 and checkpoints included. */
  readonly lines: number
  /** `crc` of the last of them. */
  readonly lastCrc: string
  /** A line that is not behind `contextFrom`. */
  readonly from: IndexedLine
}

/** Raised when the fields change. */
const version = 1

/** `<log without .jsonl>.state`. */
export function stateSnapshotPath(file: string): string {
  return path.join(path.dirname(file), `${path.basename(file, '.jsonl')}.state`)
}

/** Undefined where there is none that can be believed. */
export function readStateSnapshot(file: string): StateSnapshotFile | undefined {
  const bytes = readBytes(stateSnapshotPath(file))
  if (bytes === undefined || !lineIsSealed(bytes)) return undefined
  const value: unknown = JSON.parse(bytes.toString()) // sealed: it is what was written
  return isStateSnapshot(value) ? value : undefined
}

/** Replaces what was kept; what cannot be written whole is taken away: opening goes without. */
export function writeStateSnapshot(file: string, snapshot: StateSnapshotFile): void {
  const name = stateSnapshotPath(file)
  try {
    const { O_WRONLY, O_CREAT, O_NOFOLLOW } = constants
    const descriptor = openSync(name, O_WRONLY | O_CREAT | O_NOFOLLOW, 0o600)
    try {
      ftruncateSync(descriptor)
      writeFileSync(descriptor, sealLine(JSON.stringify({ version, ...snapshot }).slice(0, -1)))
    } finally {
      closeSync(descriptor)
    }
  } catch {
    removeIfPresent(name)
  }
}

function removeIfPresent(name: string): void {
  try {
    unlinkSync(name)
  } catch {
    // A torn one is not believed; nothing else depends on it.
  }
}

function readBytes(name: string): Buffer | undefined {
  try {
    const descriptor = openSync(name, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      return readFileSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return undefined // mostly there is none; whatever is wrong with it, the log is read instead
  }
}

function isStateSnapshot(value: unknown): value is StateSnapshotFile {
  if (!isRecord(value) || value['version'] !== version || !('state' in value)) return false
  const { header, lastCrc, from } = value
  if (typeof header !== 'string' || typeof lastCrc !== 'string' || !isRecord(from)) return false
  const counts = [
    value['seq'],
    value['contextFrom'],
    value['end'],
    value['last'],
    value['lines'],
    from['seq'],
    from['offset'],
    from['line'],
  ]
  return counts.every((count) => Number.isSafeInteger(count))
}

// What is kept beside a log counts only where the log's line 1 and the last line that it covers are the very ones it was made with.

interface LogBeside {
  readonly files: FileSystemPort
  readonly file: string
  /** Open for reading. */
  readonly descriptor: number
  /** Bytes that the file has. */
  readonly size: number
}

/** The `crc` of a sealed line, from its end. */
export function crcOf(line: Buffer): string {
  return line.toString('latin1', line.length - 10, line.length - 2)
}

/** Undefined where nothing is kept that fits. */
export function findStateSnapshot({ files, file, descriptor, size }: LogBeside): StateSnapshotFile | undefined {
  const snapshot = readStateSnapshot(file)
  if (snapshot === undefined || snapshot.end > size || snapshot.last >= snapshot.end) return undefined
  const read = (buffer: Buffer, length: number, position: number): number =>
    files.readSync(descriptor, buffer, 0, length, position)
  const lineAt = (from: number): Buffer | undefined => {
    for (const { bytes, ended } of readLines({ read, from, end: () => snapshot.end })) return ended ? bytes : undefined
    return undefined
  }
  const header = lineAt(0)
  if (header === undefined || !lineIsSealed(header) || crcOf(header) !== snapshot.header) return undefined
  const last = lineAt(snapshot.last)
  if (last === undefined || snapshot.last + last.length + 1 !== snapshot.end) return undefined
  if (!lineIsSealed(last) || crcOf(last) !== snapshot.lastCrc) return undefined
  return readLineHead(last)?.seq === snapshot.seq ? snapshot : undefined
}
