// A log is opened for writing by one process, only when every line of it is whole; a torn end is kept beside the file before it is cut off.
import { constants } from 'node:fs'
import path from 'node:path'
import { storageFailure } from '../host/storage-failure.ts'
import { Failure } from '../streams/failure.ts'
import type { OpenedLog, OpenWarning } from '../streams/session-log.ts'
import { damagedLine } from './damaged-line.ts'
import { endLastLine } from './end-last-line.ts'
import { FileLog } from './file-log.ts'
import type { FileSystemPort } from './file-system-port.ts'
import { scanLog } from './scan-log.ts'
import { takeLock } from './session-lock.ts'
import type { SessionLock } from './session-lock.ts'

export interface LogFile {
  readonly file: string
  /** The session that it must be. */
  readonly sessionId: string
  readonly files: FileSystemPort
  /** Where this process can be reached, for the lock. */
  readonly socket?: string
}

/**
 * Opens an existing log for writing, checks every line of it and repairs its end.
 * @throws Failure `session_locked`, `read_only` (a damaged line), `unsupported_version`, `storage`; the file is left as it was
 */
export function openFileLog(options: LogFile): OpenedLog {
  const { file, files } = options
  const descriptor = openFile(file, files)
  let lock: SessionLock | undefined
  try {
    claimFile(file, files, descriptor)
    lock = takeLock(options)
    const { log, warnings } = openLocked(options, descriptor, lock)
    return { log, warnings: [...lock.warnings, ...warnings], checkpoints: log.checkpoints() }
  } catch (thrown) {
    files.closeSync(descriptor)
    lock?.release()
    throw storageFailure(`open ${file}`, thrown)
  }
}

function openLocked(
  { file, sessionId, files }: LogFile,
  descriptor: number,
  lock: SessionLock,
): { readonly log: FileLog; readonly warnings: readonly OpenWarning[] } {
  const { size } = files.fstatSync(descriptor)
  const read = (buffer: Buffer, length: number, position: number) =>
    files.readSync(descriptor, buffer, 0, length, position)
  const scanned = scanLog(file, { read, from: 0, end: () => size })
  const { contents } = scanned
  if (contents.header.id !== sessionId) {
    throw damagedLine({ file, line: 1, problem: `it is the header of session ${contents.header.id}` })
  }
  const warnings = endLastLine({ files, descriptor, file, size, scanned })
  const log = new FileLog({ files, descriptor, file, contents, folders: [path.dirname(file)], lock })
  return { log, warnings }
}

function openFile(file: string, files: FileSystemPort): number {
  try {
    return files.openSync(file, constants.O_RDWR | constants.O_APPEND | constants.O_NOFOLLOW)
  } catch (thrown) {
    throw storageFailure(`open ${file}`, thrown)
  }
}

function claimFile(file: string, files: FileSystemPort, descriptor: number): void {
  const status = files.fstatSync(descriptor)
  if (!status.isFile()) throw new Failure('storage', `Could not open ${file}: it is not a file`)
  if (status.uid !== process.geteuid?.()) {
    throw new Failure('storage', `Could not open ${file}: it belongs to another user; import a copy of it instead`)
  }
  if ((status.mode & 0o777) !== 0o600) files.fchmodSync(descriptor, 0o600)
}
