// Repairs the end of a log after a crash: adds a missing line feed, or cuts a torn line off.
// Guarantees: bytes are cut only after a synced copy of them exists beside the file.
import { closeSync, fsyncSync, unlinkSync, writeFileSync } from 'node:fs'
import type { OpenWarning } from '../../streams/ports/session-log.ts'
import type { FileSystemPort } from '../disk/file-system-port.ts'
import { lineWriter } from '../lines/append-lines.ts'
import type { ScannedLog } from './scan-log.ts'
import { createPrivateFile } from '../../host/files/private-files.ts'
import { errnoOf } from '../../host/files/storage-failure.ts'

export interface LogEnd {
  readonly files: FileSystemPort
  /** Open for reading and appending. */
  readonly descriptor: number
  readonly file: string
  /** Size of the file in bytes. */
  readonly size: number
  readonly scanned: ScannedLog
}

/**
 * Cuts a torn end off and saves it as `<file>.torn-<seq>`, with the number that the line would have had. Adds the line
 * feed if the last line lacks only that. Returns a warning for a cut.
 * @throws what the system throws
 */
export function repairLogEnd({ files, descriptor, file, size, scanned }: LogEnd): OpenWarning[] {
  const { contents, end } = scanned
  if (end === 'whole') return []
  if (end === 'unended') {
    const textEnd = contents.size - 1
    files.ftruncateSync(descriptor, textEnd) // NULs may follow it
    lineWriter({ files, descriptor, file, size: textEnd }).write(Buffer.from('\n'))
    return []
  }
  const copyFile = saveBytes({ files, descriptor, from: contents.size, to: size }, `${file}.torn-${contents.head + 1}`)
  files.ftruncateSync(descriptor, contents.size)
  const message = `The last line of ${file} is incomplete (${size - contents.size} bytes: the process or the machine stopped while it was written). It was cut off and saved as ${copyFile}`
  return [
    {
      code: 'torn_line',
      message,
      context: { file, kept: copyFile, bytes: size - contents.size, seq: contents.head + 1 },
    },
  ]
}

interface ByteRange extends Pick<LogEnd, 'files' | 'descriptor'> {
  readonly from: number
  readonly to: number
}

function saveBytes(range: ByteRange, name: string): string {
  // the same number may have been torn before: the older copy stays
  const { file: copyFile, descriptor: copy } = createBeside((attempt) => (attempt === 1 ? name : `${name}-${attempt}`))
  try {
    copyBytes(range, copy)
    fsyncSync(copy)
    return copyFile
  } catch (thrown) {
    unlinkSync(copyFile)
    throw thrown
  } finally {
    closeSync(copy)
  }
}

function copyBytes({ files, descriptor, from, to }: ByteRange, copy: number): void {
  const piece = Buffer.allocUnsafe(64 * 1024)
  for (let position = from; position < to;) {
    const length = files.readSync(descriptor, piece, 0, Math.min(piece.length, to - position), position)
    if (length === 0) throw new Error('the file was truncated while it was read')
    writeFileSync(copy, piece.subarray(0, length))
    position += length
  }
}

// Files beside a log never replace each other.

interface FileBeside {
  readonly file: string
  /** Open for reading and appending; the caller closes it. */
  readonly descriptor: number
}

/** Creates the first of the files `nameOf(1)`, `nameOf(2)` … that does not exist. @throws Failure `storage` */
export function createBeside(nameOf: (attempt: number) => string): FileBeside {
  for (let attempt = 1; ; attempt += 1) {
    const file = nameOf(attempt)
    try {
      return { file, descriptor: createPrivateFile(file) }
    } catch (thrown) {
      if (errnoOf(thrown) !== 'EEXIST') throw thrown
    }
  }
}
