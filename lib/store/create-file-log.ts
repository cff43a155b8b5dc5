// A new log is created exclusively, and either has its first line or is not there at all.
import { unlinkSync } from 'node:fs'
import { createPrivateFile } from '../host/private-files.ts'
import type { SessionHeader } from '../streams/log-line.ts'
import type { SessionLog } from '../streams/session-log.ts'
import { FileLog } from './file-log.ts'
import type { FileSystemPort } from './file-system-port.ts'
import { lineIndex } from './line-index.ts'
import { lineWriter } from './line-writer.ts'

export interface NewFileLog {
  readonly files: FileSystemPort
  readonly file: string
  readonly header: SessionHeader
  readonly headerLine: string
  /** Folders that must be synced for the file to survive a power cut, its own first. */
  readonly folders: readonly string[]
}

/** @throws Failure `storage` */
export function createFileLog({ files, file, header, headerLine, folders }: NewFileLog): SessionLog {
  const descriptor = createPrivateFile(file)
  try {
    const writer = lineWriter({ files, descriptor, file, size: 0 })
    writer.write(Buffer.from(`${headerLine}\n`))
    const contents = { header, headerLine, head: 0, lines: 1, size: writer.size, index: lineIndex() }
    return new FileLog({ files, descriptor, file, contents, folders })
  } catch (thrown) {
    files.closeSync(descriptor)
    unlinkSync(file)
    throw thrown
  }
}
