// A log opened for reading: it is damaged, or another process writes it.
// Guarantees: its file is never changed.
import { Observable, Subject, of, takeUntil } from 'rxjs'
import { watchFile } from '../../host/files/file-changes.ts'
import { storageFailure } from '../../host/files/storage-failure.ts'
import type { Blobs } from '../../streams/log/blobs.ts'
import type { SessionHeader, SessionRecord } from '../../streams/log/log-line.ts'
import type { FollowedLog, SessionLog } from '../../streams/ports/session-log.ts'
import type { FileSystemPort } from '../disk/file-system-port.ts'
import type { LogReader } from './log-reader.ts'
import { logReader } from './log-reader.ts'
import type { LogContents } from './scan-log.ts'
import { Failure } from '../../streams/values/failure.ts'
import { readLineHead } from '../lines/peek-line.ts'
import { readLines } from '../lines/read-lines.ts'
import { checkRecord } from './read-records.ts'
import type { RecordPosition, RecordSource } from './read-records.ts'

export interface ReadOnlyLogOptions {
  readonly files: FileSystemPort
  /** Open for reading; closed with the log. */
  readonly descriptor: number
  readonly file: string
  /** Content of the file, up to its damage if there is any. */
  readonly contents: LogContents
  /** Why appending is refused. */
  readonly readOnly: Failure
  /** Its blobs. Absent: there are none. */
  readonly blobs?: Blobs | undefined
}

/** A log over an open file that this process does not write. */
export class ReadOnlyLog implements SessionLog {
  readonly header: SessionHeader
  readonly headerLine: string
  readonly #options: ReadOnlyLogOptions
  readonly #reader: LogReader
  readonly #closed$ = new Subject<void>()
  /** Bytes of whole lines read so far. */
  #size: number
  #closed = false

  constructor(options: ReadOnlyLogOptions) {
    const { contents } = options
    this.header = contents.header
    this.headerLine = contents.headerLine
    this.#options = options
    this.#size = contents.size
    this.#reader = logReader({ ...options, size: () => this.#size })
  }

  get head(): number {
    return this.#reader.damage?.head ?? this.#options.contents.head
  }

  get readOnly(): Failure {
    return this.#reader.damage?.failure ?? this.#options.readOnly
  }

  get blobs(): Blobs | undefined {
    return this.#options.blobs
  }

  append(): never {
    throw this.readOnly
  }

  checkpoint(): never {
    throw this.readOnly
  }

  /** Does nothing. */
  sync(): void {}

  /** Completes at once: nothing was written here. */
  durable(): Observable<void> {
    return of(undefined)
  }

  /** The records present at opening, and those followed since. @throws Failure `read_only`, `storage` */
  records(after = 0, only?: ReadonlySet<string>): Iterable<SessionRecord> {
    return this.#reader.records(after, only)
  }

  checkpoints(): Iterable<SessionRecord> {
    return this.#reader.checkpoints()
  }

  follow(after = 0, { checkpoints = false }: FollowedLog = {}): Observable<SessionRecord> {
    const { files, descriptor, file } = this.#options
    const start = this.#reader.from(after, () => (this.#closed ? 0 : files.fstatSync(descriptor).size))
    const changes$ = watchFile(file).pipe(takeUntil(this.#closed$))
    const reached = (size: number): void => {
      this.#size = Math.max(this.#size, size)
    }
    return followRecords({ ...start, after, checkpoints, changes$, reached })
  }

  close(): Observable<never> {
    return new Observable((subscriber) => {
      try {
        this.#close()
        subscriber.complete()
      } catch (thrown) {
        subscriber.error(storageFailure(`close ${this.#options.file}`, thrown))
      }
    })
  }

  #close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#reader.close()
    this.#closed$.next()
    this.#options.files.closeSync(this.#options.descriptor)
  }
}

// Follows whole lines only: text after the last line feed is incomplete, and its writer may remove it.

interface FollowOptions {
  /** `end` is the current end of the file. */
  readonly source: RecordSource
  /** A line that is not after the first wanted one. */
  readonly start: RecordPosition
  /** Records after this number are emitted. */
  readonly after: number
  /** Emits checkpoints after that number too, without `seq` and `line`. Default false. */
  readonly checkpoints?: boolean
  /** Emits when the file may have grown. */
  readonly changes$: Observable<void>
  /** Receives the size in bytes of all whole lines, before the last of them is emitted. */
  reached?(size: number): void
}

/**
 * Emits the durable records after a number, then each appended one. Completes with `changes$`; fails with Failure
 * `read_only` at an invalid line, `storage`. Buffers nothing.
 */
function followRecords(options: FollowOptions): Observable<SessionRecord> {
  const { source, start, after, checkpoints = false, changes$, reached } = options
  return new Observable((subscriber) => {
    let { offset, seq, line } = start

    function read(): void {
      for (const { bytes, ended } of readLines({ ...source, from: offset })) {
        if (!ended || subscriber.closed) return
        const numbered = readLineHead(bytes)?.seq !== undefined
        const record = checkRecord(source, bytes, numbered ? { seq, line } : { line })
        if (record instanceof Failure) throw record
        offset += bytes.length + 1
        line += 1
        reached?.(offset)
        if (numbered) seq += 1
        const isWanted = numbered ? seq - 1 > after : checkpoints && seq > after
        if (isWanted) subscriber.next(record)
      }
    }
    function attempt(): void {
      try {
        read()
      } catch (thrown) {
        subscriber.error(thrown)
      }
    }

    attempt()
    if (subscriber.closed) return undefined
    return changes$.subscribe({
      next: attempt,
      complete: () => {
        subscriber.complete()
      },
    })
  })
}
