// A new log is created exclusively and locked, and either has its first line or is not there at all.
import { unlinkSync } from 'node:fs'
import { createPrivateFile } from '../../host/files/private-files.ts'
import type { SessionHeader } from '../../streams/log/log-line.ts'
import type { SessionLog } from '../../streams/ports/session-log.ts'
import type { BlobFolder } from '../blobs/blob-folder.ts'
import { FileLog } from './file-log.ts'
import type { FileSystemPort } from '../disk/file-system-port.ts'
import { lineIndex } from '../lines/line-index.ts'
import { lineWriter } from '../lines/append-lines.ts'
import { logBlobs } from './log-blobs.ts'
import { takeLock } from '../locks/session-lock.ts'
import type { SessionLock } from '../locks/session-lock.ts'

export interface NewFileLog {
  readonly files: FileSystemPort
  readonly file: string
  readonly header: SessionHeader
  readonly headerLine: string
  /** Folders that must be synced for the file to survive a power cut, its own first. */
  readonly folders: readonly string[]
  /** Where this process can be reached, for the lock. */
  readonly socket?: string
  /** Takes large content. Default: it stands on the lines. */
  readonly blobs?: BlobFolder
}

/** @throws Failure `storage`, `session_locked` */
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
    const contents = { header, headerLine, head: 0, lines: 1, size: writer.size, index: lineIndex() }
    return new FileLog({ files, descriptor, file, contents, folders, lock, blobs: blobs && logBlobs(blobs, files) })
  } catch (thrown) {
    files.closeSync(descriptor)
    unlinkSync(file)
    throw thrown
  }
}
