// A log that is only read: damaged, or another process writes it. Nothing of its file is ever changed.
import { Observable, Subject, of, takeUntil } from 'rxjs'
import { fileChanges } from '../../host/files/file-changes.ts'
import { storageFailure } from '../../host/files/storage-failure.ts'
import type { Blobs } from '../../streams/log/blobs.ts'
import type { Failure } from '../../streams/values/failure.ts'
import type { SessionHeader } from '../../streams/log/log-line.ts'
import type { FollowedLog, SessionLog } from '../../streams/ports/session-log.ts'
import type { SessionRecord } from '../../streams/log/log-line.ts'
import type { FileSystemPort } from '../disk/file-system-port.ts'
import { followRecords } from './follow-records.ts'
import type { LogReader } from './log-reader.ts'
import { logReader } from './log-reader.ts'
import type { LogContents } from './scan-log.ts'

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
    const place = this.#reader.from(after, () => (this.#closed ? 0 : files.fstatSync(descriptor).size))
    const changes$ = fileChanges(file).pipe(takeUntil(this.#closed$))
    const reached = (size: number): void => {
      this.#size = Math.max(this.#size, size)
    }
    return followRecords({ ...place, after, checkpoints, changes$, reached })
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
