// A file grows by whole lines only: what a failed write left behind is cut off before the next one.
import { storageFailure } from '../../host/files/storage-failure.ts'
import type { FileSystemPort } from '../disk/file-system-port.ts'

export interface LineWriterOptions {
  readonly files: FileSystemPort
  /** Open for appending. */
  readonly descriptor: number
  /** Its name, for errors. */
  readonly file: string
  /** Bytes that the file has. */
  readonly size: number
}

export interface LineWriter {
  /** Bytes of whole lines. */
  readonly size: number
  /** Writes a line with its feed, synchronously. @throws Failure `storage`; nothing of the line stays behind */
  write(bytes: Buffer): void
}

export function lineWriter({ files, descriptor, file, size: found }: LineWriterOptions): LineWriter {
  let size = found
  let torn = false

  function writeAll(bytes: Buffer): void {
    for (let written = 0; written < bytes.length;) {
      const count = files.writeSync(descriptor, bytes, written, bytes.length - written)
      if (count === 0) throw new Error('the system wrote nothing')
      written += count
    }
  }

  function truncate(): void {
    files.ftruncateSync(descriptor, size)
    torn = false
  }

  function tryToTruncate(): void {
    try {
      truncate()
    } catch {
      // Tried again before the next line, which is refused with the reason as long as it fails.
    }
  }

  return {
    get size() {
      return size
    },
    write(bytes) {
      try {
        if (torn) truncate()
        torn = true // until all of it is there
        writeAll(bytes)
        torn = false
      } catch (thrown) {
        tryToTruncate()
        throw storageFailure(`write to ${file}`, thrown)
      }
      size += bytes.length
    },
  }
}
