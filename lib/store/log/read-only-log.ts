// A log that is only read: damaged, or another process writes it. Nothing of its file is ever changed.
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
  /** What stands in it, up to its damage where there is any. */
  readonly contents: LogContents
  /** Why nothing is written. */
  readonly readOnly: Failure
  /** Its large content. Absent: there is none. */
  readonly blobs?: Blobs | undefined
}

/** A log over an open file that this process does not write. */
export class ReadOnlyLog implements SessionLog {
  readonly header: SessionHeader
  readonly headerLine: string
  readonly #options: ReadOnlyLogOptions
  readonly #reader: LogReader
  readonly #closed$ = new Subject<void>()
  /** Bytes of whole lines that are known. */
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

  /** Nothing to do. */
  sync(): void {}

  /** At once: nothing was written here. */
  durable(): Observable<void> {
    return of(undefined)
  }

  /** What stood in it when it was opened, and what was followed since. @throws Failure `read_only`, `storage` */
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

// Who only reads a log sees whole lines: what stands after the last line feed is being written, or will be undone.

interface FollowOptions {
  /** Its `end` is where the file ends now. */
  readonly source: RecordSource
  /** A line that is not behind the first wanted one. */
  readonly start: RecordPosition
  /** The number after which records are told. */
  readonly after: number
  /** Checkpoints behind that number are told too, without `seq` and `line`. Default false. */
  readonly checkpoints?: boolean
  /** Emits when there may be more. */
  readonly changes$: Observable<void>
  /** Told how many bytes of whole lines there are, before what the last of them holds is. */
  reached?(size: number): void
}

/**
 * The durable records after a number, then each that is appended. Completes with `changes$`; fails with Failure `read_only`
 * at a line that is not what it should be, `storage`. Buffers nothing.
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
