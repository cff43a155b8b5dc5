// Opens or creates a log for one writing process, after checking every line.
// A damaged log opens for reading only.
import { constants, unlinkSync } from 'node:fs'
import path from 'node:path'
import { storageFailure } from '../../host/files/storage-failure.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { OpenedLog, SessionLog } from '../../streams/ports/session-log.ts'
import type { BlobFolder } from '../blobs/blob-folder.ts'
import { damagedLine } from '../lines/damage-report.ts'
import { repairLogEnd } from './repair-log-end.ts'
import { FileLog } from './file-log.ts'
import type { FileSystemPort } from '../disk/file-system-port.ts'
import { findStateSnapshot } from './state-snapshot-file.ts'
import type { StateSnapshotFile } from './state-snapshot-file.ts'
import { logBlobs } from './log-blobs.ts'
import { ReadOnlyLog } from './read-only-log.ts'
import { IdleStateFold } from './idle-state-fold.ts'
import { scanLog } from './scan-log.ts'
import type { LogToScan, ScannedLog } from './scan-log.ts'
import { takeLock } from '../locks/session-lock.ts'
import type { SessionLock } from '../locks/session-lock.ts'
import { createPrivateFile } from '../../host/files/private-files.ts'
import type { SessionHeader } from '../../streams/log/log-line.ts'
import { createLineIndex } from '../lines/line-index.ts'
import { lineWriter } from '../lines/append-lines.ts'

export interface LogFile {
  readonly file: string
  /** The expected session id. */
  readonly sessionId: string
  readonly files: FileSystemPort
  /**
   * Bytes from which a log is folded while its lines are checked, with its messages left in the file. Default 256 KiB:
   * below that, reading it whole takes about 10 ms.
   */
  readonly foldFrom?: number | undefined
  /** Socket of this process, for the lock. */
  readonly socket?: string
  /** The blob folder. Default: none. */
  readonly blobs?: BlobFolder
}

/**
 * Opens an existing log, checks every line and repairs its end; if a line is damaged, opens it for reading only.
 * @throws Failure `session_locked`, `unknown_session` (it was removed at this moment), `read_only` (line 1 is damaged),
 * `unsupported_version`, `storage`; the file stays unchanged
 */
export function openFileLog(options: LogFile): OpenedLog {
  const { O_RDWR, O_APPEND } = constants
  return withFile(options, O_RDWR | O_APPEND, (descriptor) => {
    makePrivate(options, descriptor)
    const lock = takeLock(options)
    try {
      return openLocked(options, descriptor, lock)
    } catch (thrown) {
      lock.release()
      throw thrown
    }
  })
}

/**
 * Opens an existing log only to read and follow it; its holder may go on writing, and the file stays unchanged.
 * @throws Failure `read_only` (line 1 is damaged), `unsupported_version`, `storage`
 */
export function openForReading(options: LogFile): OpenedLog {
  return withFile(options, constants.O_RDONLY, (descriptor) => {
    const { files, file } = options
    const { contents, damage } = scan(options, descriptor, 'left out')
    const readOnly = damage ?? readOnlyFailure(options)
    return {
      log: new ReadOnlyLog({ files, descriptor, file, contents, readOnly, blobs: blobsOf(options) }),
      warnings: [],
    }
  })
}

/** Closes the file again if a check fails. */
function withFile(options: LogFile, flags: number, open: (descriptor: number) => OpenedLog): OpenedLog {
  const { file, files } = options
  const descriptor = openFile(file, files, flags)
  try {
    checkFile(file, files, descriptor)
    return open(descriptor)
  } catch (thrown) {
    files.closeSync(descriptor)
    throw storageFailure(`open ${file}`, thrown)
  }
}

function openLocked(options: LogFile, descriptor: number, lock: SessionLock): OpenedLog {
  const { file, files } = options
  const { size, nlink } = files.fstatSync(descriptor)
  if (nlink === 0) throw removedFailure(options) // by the lock's holder, between our opening the file and taking the lock
  const blobs = blobsOf(options)
  const { scanned, snapshot } = scanForWriting(options, descriptor, size)
  const { contents, damage, idleState } = scanned
  if (damage !== undefined) {
    lock.release()
    const log = new ReadOnlyLog({ files, descriptor, file, contents, readOnly: damage, blobs })
    return { log, warnings: lock.warnings }
  }
  const torn = repairLogEnd({ files, descriptor, file, size, scanned })
  const log = new FileLog({
    files,
    descriptor,
    file,
    contents,
    snapshot,
    idleState,
    folders: [path.dirname(file)],
    lock,
    blobs,
  })
  return { log, warnings: [...lock.warnings, ...torn] }
}

/**
 * Scans only the lines after a matching snapshot; if one of them is damaged, scans the whole log to report the first
 * damage.
 */
function scanForWriting(
  options: LogFile,
  descriptor: number,
  size: number,
): { readonly scanned: ScannedLog; readonly snapshot?: StateSnapshotFile } {
  const snapshot = findStateSnapshot({ ...options, descriptor, size })
  const behind = snapshot === undefined ? undefined : scan(options, descriptor, 'kept', { snapshot })
  if (snapshot !== undefined && behind !== undefined && behind.damage === undefined)
    return { scanned: behind, snapshot }
  const fold = size < (options.foldFrom ?? 2 ** 18) ? undefined : new IdleStateFold()
  return { scanned: scan(options, descriptor, 'kept', { fold }) }
}

function scan(
  { file, sessionId, files }: LogFile,
  descriptor: number,
  unended: 'kept' | 'left out',
  { snapshot, fold }: Pick<LogToScan, 'snapshot' | 'fold'> = {},
): ScannedLog {
  const { size } = files.fstatSync(descriptor)
  const read = (buffer: Buffer, length: number, position: number) =>
    files.readSync(descriptor, buffer, 0, length, position)
  const scanned = scanLog({ file, source: { read, from: 0, end: () => size }, unended, snapshot, fold })
  const { id } = scanned.contents.header
  if (id !== sessionId) throw damagedLine({ file, line: 1, problem: `it is the header of session ${id}` })
  return scanned
}

function blobsOf({ blobs, files }: LogFile) {
  return blobs === undefined ? undefined : logBlobs(blobs, files)
}

function removedFailure({ sessionId }: LogFile): Failure {
  return new Failure('unknown_session', `Session ${sessionId} was removed while it was being opened`)
}

function readOnlyFailure({ sessionId, file }: LogFile): Failure {
  const message = `Session ${sessionId} was opened for reading only; open it again to continue it`
  return new Failure('read_only', message, { data: { file } })
}

function openFile(file: string, files: FileSystemPort, flags: number): number {
  try {
    return files.openSync(file, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (thrown) {
    throw storageFailure(`open ${file}`, thrown)
  }
}

function checkFile(file: string, files: FileSystemPort, descriptor: number): void {
  const status = files.fstatSync(descriptor)
  if (!status.isFile()) throw new Failure('storage', `Could not open ${file}: it is not a file`)
  if (status.uid !== process.geteuid?.()) {
    throw new Failure('storage', `Could not open ${file}: it belongs to another user; import a copy of it instead`)
  }
}

function makePrivate({ files }: LogFile, descriptor: number): void {
  if ((files.fstatSync(descriptor).mode & 0o777) !== 0o600) files.fchmodSync(descriptor, 0o600)
}

interface NewFileLog {
  readonly files: FileSystemPort
  readonly file: string
  readonly header: SessionHeader
  readonly headerLine: string
  /** Folders to sync so that the file survives a power cut, its own first. */
  readonly folders: readonly string[]
  /** Socket of this process, for the lock. */
  readonly socket?: string
  /** Receives large content. Default: all content stays on the lines. */
  readonly blobs?: BlobFolder
}

/**
 * Creates a log exclusively and locked: afterwards, the file has its first line or does not exist.
 * @throws Failure `storage`, `session_locked`
 */
export function createFileLog(options: NewFileLog): SessionLog {
  const { file, header, socket } = options
  const lock = takeLock({ file, sessionId: header.id, ...(socket === undefined ? {} : { socket }) })
  try {
    return createLocked(options, lock)
  } catch (thrown) {
    lock.release()
    throw thrown
  }
}

function createLocked({ files, file, header, headerLine, folders, blobs }: NewFileLog, lock: SessionLock): SessionLog {
  const descriptor = createPrivateFile(file)
  try {
    const writer = lineWriter({ files, descriptor, file, size: 0 })
    writer.write(Buffer.from(`${headerLine}\n`))
    const contents = { header, headerLine, head: 0, lines: 1, size: writer.size, index: createLineIndex() }
    return new FileLog({ files, descriptor, file, contents, folders, lock, blobs: blobs && logBlobs(blobs, files) })
  } catch (thrown) {
    files.closeSync(descriptor)
    unlinkSync(file)
    throw thrown
  }
}
