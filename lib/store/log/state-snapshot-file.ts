// Stores a session's state in one sealed line beside its log.
// A torn, outdated or foreign file counts as absent.
import { closeSync, constants, ftruncateSync, openSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { StateSnapshot } from '../../streams/ports/session-log.ts'
import type { IndexedLine } from '../lines/line-index.ts'
import { lineIsSealed, sealLine } from '../lines/line-checksum.ts'
import { isRecord } from '../../streams/values/json.ts'
import type { FileSystemPort } from '../disk/file-system-port.ts'
import { readLineHead } from '../lines/peek-line.ts'
import { readLines } from '../lines/read-lines.ts'

/** Content of the file: the state, and the part of the log that it covers. */
export interface StateSnapshotFile extends StateSnapshot {
  /** `crc` of line 1. */
  readonly header: string
  /** Bytes of the covered lines, the last line feed included. */
  readonly end: number
  /** Offset of the last covered line, which is numbered. */
  readonly last: number
  /** Number of covered lines, line 1 and checkpoints included. */
  readonly lines: number
  /** `crc` of the last covered line. */
  readonly lastCrc: string
  /** A line that is not after `contextFrom`. */
  readonly from: IndexedLine
}

/** Increased when the fields change. */
const version = 1

/** `<log without .jsonl>.state`. */
export function stateSnapshotPath(file: string): string {
  return path.join(path.dirname(file), `${path.basename(file, '.jsonl')}.state`)
}

/** Undefined if there is no valid snapshot. */
export function readStateSnapshot(file: string): StateSnapshotFile | undefined {
  const bytes = readBytes(stateSnapshotPath(file))
  if (bytes === undefined || !lineIsSealed(bytes)) return undefined
  const value: unknown = JSON.parse(bytes.toString()) // sealed: exactly what was written
  return isStateSnapshot(value) ? value : undefined
}

/** Replaces the snapshot; removes it if it cannot be written whole, and the next opening reads the log instead. */
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
    // A torn snapshot is not accepted; nothing else depends on it.
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
    return undefined // usually absent; on any error the log is read instead
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

// A snapshot counts only if line 1 and the last covered line of the log are unchanged.

interface LogBeside {
  readonly files: FileSystemPort
  readonly file: string
  /** Open for reading. */
  readonly descriptor: number
  /** Size of the file in bytes. */
  readonly size: number
}

/** The `crc` of a sealed line, from its end. */
export function crcOf(line: Buffer): string {
  return line.toString('latin1', line.length - 10, line.length - 2)
}

/** Undefined if there is no snapshot that matches the log. */
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
