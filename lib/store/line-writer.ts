// A file grows by whole lines only: what a failed write left behind is cut off before the next one.
import { storageFailure } from '../host/storage-failure.ts'
import type { FileSystemPort } from './file-system-port.ts'

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
  /** Writes a line and its feed, synchronously. @throws Failure `storage`; nothing of the line counts then */
  write(line: string): void
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

  function undo(): void {
    files.ftruncateSync(descriptor, size)
    torn = false
  }

  return {
    get size() {
      return size
    },
    write(line) {
      const bytes = Buffer.from(`${line}\n`)
      try {
        if (torn) undo()
        torn = true // until all of it is there
        writeAll(bytes)
        torn = false
      } catch (thrown) {
        throw storageFailure(`write to ${file}`, undone(undo, thrown))
      }
      size += bytes.length
    },
  }
}

/** The reason why the write failed; where even the cut fails, it is tried again before the next write. */
function undone(undo: () => void, thrown: unknown): unknown {
  try {
    undo()
    return thrown
  } catch (cause) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown)
    return new Error(`${reason} (and what it left could not be cut off yet)`, { cause })
  }
}
