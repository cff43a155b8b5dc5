// Reads records and entries of an open log, up to the first damage found in its file.
import { storageFailure } from '../../host/files/storage-failure.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { Entry } from '../../streams/state/fold-session.ts'
import type { SessionRecord } from '../../streams/log/log-line.ts'
import type { ByteRange } from '../lines/locate-entries.ts'
import type { FileSystemPort } from '../disk/file-system-port.ts'
import type { EntryRange } from './read-entries.ts'
import { readEntries } from './read-entries.ts'
import type { RecordPosition, RecordSource } from './read-records.ts'
import { readCheckpoints, readRecords } from './read-records.ts'
import type { LogContents } from './scan-log.ts'

export interface LogReaderOptions {
  readonly files: FileSystemPort
  readonly descriptor: number
  /** File name for error texts. */
  readonly file: string
  /** Content of the file when it was opened. */
  readonly contents: LogContents
  /** Bytes of whole lines now. */
  size(): number
}

/** Damage in a line with a correct checksum, found only by parsing the whole line. */
export interface LateDamage {
  readonly failure: Failure
  /** The last `seq` before it. */
  readonly head: number
}

export interface LogReader {
  /** Recorded only while the log has not grown since it was opened: lines appended since then are trusted. */
  readonly damage: LateDamage | undefined
  /** See `SessionLog.records`. */
  records(after: number, only?: ReadonlySet<string>): Iterable<SessionRecord>
  /** See `SessionLog.entries`. */
  entries(range: EntryRange): readonly Entry[]
  /** See `SessionLog.checkpoints`. */
  checkpoints(): Iterable<SessionRecord>
  /** The file up to `end`, from an indexed line that is not after number `after` + 1. */
  from(after: number, end: () => number): { readonly source: RecordSource; readonly start: RecordPosition }
  /** The first line after line 1. */
  readonly first: RecordPosition
  /** @throws Failure `storage` */
  read(buffer: Buffer, length: number, position: number): number
  /** The bytes of a line. @throws Failure `storage` */
  readRange(range: ByteRange): Buffer
  /** After this call every read fails. */
  close(): void
}

export function logReader({ files, descriptor, file, contents, size }: LogReaderOptions): LogReader {
  const { index, headerLine } = contents
  const first = { seq: 1, offset: Buffer.byteLength(headerLine) + 1, line: 2 }
  let damage: (LateDamage & { readonly offset: number }) | undefined
  let closed = false

  function read(buffer: Buffer, length: number, position: number): number {
    if (closed) throw new Failure('storage', `Could not read ${file}: the session was closed`)
    try {
      return files.readSync(descriptor, buffer, 0, length, position)
    } catch (thrown) {
      throw storageFailure(`read ${file}`, thrown)
    }
  }
  function damaged(failure: Failure, { offset, seq }: RecordPosition): void {
    if (size() === contents.size) damage ??= { failure, head: seq - 1, offset }
  }

  const from: LogReader['from'] = (after, end) => ({
    source: { file, read, damaged, end },
    start: index.atMost(after + 1) ?? first,
  })
  return {
    get damage() {
      return damage
    },
    records(after, only) {
      const { source, start } = from(after, () => damage?.offset ?? size())
      return readRecords(source, start, { after, only })
    },
    entries(range) {
      const { source, start } = from(range.from - 1, () => damage?.offset ?? size())
      return readEntries(source, start, range)
    },
    checkpoints() {
      const { unfinished } = contents
      if (unfinished === undefined || damage !== undefined) return []
      const { source } = from(0, () => contents.size)
      return { [Symbol.iterator]: () => readCheckpoints(source, unfinished) }
    },
    from,
    first,
    read,
    readRange: (range) => bytesOf(range, read),
    close() {
      closed = true
    },
  }
}

function bytesOf({ offset, length }: ByteRange, read: LogReader['read']): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  for (let filled = 0, count = 1; filled < length && count > 0; filled += count)
    count = read(bytes.subarray(filled), length - filled, offset + filled)
  return bytes
}
