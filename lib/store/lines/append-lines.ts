// Appends whole lines to a file, and truncates what a failed write left before the next one.
import { storageFailure } from '../../host/files/storage-failure.ts'
import type { FileSystemPort } from '../disk/file-system-port.ts'

export interface LineWriterOptions {
  readonly files: FileSystemPort
  /** Open for appending. */
  readonly descriptor: number
  /** File name for error texts. */
  readonly file: string
  /** Size of the file in bytes. */
  readonly size: number
}

export interface LineWriter {
  /** Bytes of whole lines. */
  readonly size: number
  /** Whether the rest of a failed write may follow them. */
  readonly isTorn: boolean
  /** Writes a line with its line feed, synchronously. @throws Failure `storage`; no part of the line remains */
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
      // Retried before the next line; as long as it fails, that line is refused with the reason.
    }
  }

  return {
    get size() {
      return size
    },
    get isTorn() {
      return torn
    },
    write(bytes) {
      try {
        if (torn) truncate()
        torn = true // until every byte is written
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
