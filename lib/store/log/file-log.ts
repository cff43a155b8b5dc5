// The log of one session in one file.
// Guarantees: a line is in the file when `append` returns, and on disk when `durable` emits.
import { AsyncSubject, Observable } from 'rxjs'
import { storageFailure } from '../../host/files/storage-failure.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { Entry } from '../../streams/state/fold-session.ts'
import type { SessionHeader, SessionRecord } from '../../streams/log/log-line.ts'
import type { KilledWriter, StateSnapshot, RestedSession, SessionLog } from '../../streams/ports/session-log.ts'
import type { Blobs } from '../../streams/log/blobs.ts'
import type { FileSystemPort } from '../disk/file-system-port.ts'
import { GroupCommit } from '../disk/group-commit.ts'
import { crcOf, writeStateSnapshot } from './state-snapshot-file.ts'
import type { StateSnapshotFile } from './state-snapshot-file.ts'
import type { LineWriter } from '../lines/append-lines.ts'
import { lineWriter } from '../lines/append-lines.ts'
import type { LogBlobs } from './log-blobs.ts'
import type { LogReader } from './log-reader.ts'
import { logReader } from './log-reader.ts'
import { logSync } from './log-sync.ts'
import type { LogContents } from './scan-log.ts'
import { readEarlierEntries, createLazyEntries } from './lazy-entry.ts'
import type { IdleLogState } from './idle-state-fold.ts'
import { sealBytes } from '../lines/line-checksum.ts'
import type { SessionLock } from '../locks/session-lock.ts'

export interface FileLogOptions {
  readonly files: FileSystemPort
  /** Open for reading and appending; closed with the log. */
  readonly descriptor: number
  /** File name for error texts. */
  readonly file: string
  /** Content of the file when it was opened. */
  readonly contents: LogContents
  /** The matching state snapshot, if there is one; opening did not check the lines that it covers. */
  readonly snapshot?: StateSnapshotFile | undefined
  /** The session's last idle state; absent if the session must be folded from its lines. */
  readonly idleState?: IdleLogState | undefined
  /** Folders that the first sync includes, in order: a new file needs a sync of the folder that names it. */
  readonly folders: readonly string[]
  /** The session's blobs, synced with the log. Absent: all content stays on the lines. */
  readonly blobs?: LogBlobs | undefined
  /** This process's lock; released after the file is closed. */
  readonly lock: SessionLock
}

/** A log over an open file. */
export class FileLog implements SessionLog {
  readonly header: SessionHeader
  readonly headerLine: string
  readonly #options: FileLogOptions
  readonly #writer: LineWriter
  readonly #reader: LogReader
  readonly #syncs: GroupCommit
  readonly #closed$ = new AsyncSubject<never>()
  #isOpen = true
  #head: number
  #lines: number
  /** Offset of the last line, if that line is numbered. */
  #last: number | undefined
  #snapshotEnd: number
  #condemned: Failure | undefined

  constructor(options: FileLogOptions) {
    const { contents } = options
    this.header = contents.header
    this.headerLine = contents.headerLine
    this.#options = options
    this.#writer = lineWriter({ ...options, size: contents.size })
    this.#reader = logReader({ ...options, size: () => this.#writer.size })
    const onFault = (fault: Failure): void => this.condemn(fault)
    this.#syncs = new GroupCommit(logSync({ ...options, writer: this.#writer, onFault }), options.files.afterStep)
    this.#head = contents.head
    this.#lines = contents.lines
    this.#last = contents.last
    this.#snapshotEnd = options.snapshot?.end ?? 0
  }

  get head(): number {
    return this.#reader.damage?.head ?? this.#head
  }

  get readOnly(): Failure | undefined {
    return this.#condemned ?? this.#reader.damage?.failure ?? this.#syncFailure()
  }

  get killedWriter(): KilledWriter | undefined {
    return this.#options.lock.deadHolder
  }

  get blobs(): Blobs | undefined {
    return this.#options.blobs
  }

  append(body: string): string {
    const seq = this.head + 1
    // A gap in the numbers would make the session unreadable, so it is refused at its source.
    if (!body.startsWith(`{"seq":${seq},`))
      throw new Failure('internal', `The next line of a log must be number ${seq}`)
    const offset = this.#writer.size
    const line = this.#write(body)
    this.#last = offset
    this.#options.contents.index.add({ seq, offset, line: this.#lines })
    this.#head = seq
    return line
  }

  checkpoint(body: string): void {
    this.#write(body)
    this.#last = undefined
  }

  sync(): void {
    this.#syncs.request()
  }

  durable(): Observable<void> {
    return this.#syncs.durable()
  }

  /** Ends after the last line, lines appended meanwhile included. @throws Failure `read_only`, `storage` */
  records(after = 0, only?: ReadonlySet<string>): Iterable<SessionRecord> {
    return this.#reader.records(after, only)
  }

  checkpoints(): Iterable<SessionRecord> {
    return this.#reader.checkpoints()
  }

  get kept(): StateSnapshot | undefined {
    return this.#options.snapshot
  }

  get rested(): RestedSession | undefined {
    const { idleState } = this.#options
    if (idleState === undefined) return undefined
    return { state: idleState.state, entries: () => createLazyEntries(idleState.locations, this.#reader.readRange) }
  }

  get unkept(): number {
    return this.#writer.size - this.#snapshotEnd
  }

  /** Does nothing if the last line is not number `seq`: a snapshot must match the whole file. */
  keep({ seq, contextFrom, state }: StateSnapshot): void {
    const { file, contents } = this.#options
    const [last, end] = [this.#last, this.#writer.size]
    if (seq !== this.#head || last === undefined || this.readOnly !== undefined) return
    const from = contents.index.atMost(contextFrom) ?? this.#reader.first
    const header = crcOf(Buffer.from(this.headerLine))
    const lastCrc = crcOf(this.#reader.readRange({ offset: last, length: end - 1 - last }))
    this.#snapshotEnd = end
    writeStateSnapshot(file, { seq, contextFrom, header, last, lastCrc, end, lines: this.#lines, from, state })
  }

  /** @throws Failure `read_only`, `storage` */
  entries(from: number, to: number): readonly Entry[] {
    return this.#reader.entries({ from, to })
  }

  *earlier(): Generator<readonly Entry[], void> {
    const { file, contents, snapshot } = this.#options
    if (snapshot === undefined) return
    const { read, readRange } = this.#reader
    yield* readEarlierEntries({ file, snapshot, index: contents.index, read, readRange })
  }

  condemn(damage: Failure): void {
    this.#condemned ??= damage
  }

  close(): Observable<never> {
    return new Observable((subscriber) => {
      this.#close()
      return this.#closed$.subscribe(subscriber)
    })
  }

  #write(body: string): string {
    const { file } = this.#options
    if (!this.#isOpen) throw new Failure('storage', `Could not write to ${file}: the session was closed`)
    const { readOnly } = this
    if (readOnly !== undefined) throw readOnly
    const { line, bytes } = sealBytes(body)
    this.#writer.write(bytes)
    this.#lines += 1
    this.#syncs.written()
    return line
  }

  #syncFailure(): Failure | undefined {
    const { failure } = this.#syncs
    if (failure === undefined) return undefined
    const message = `Could not write to ${this.#options.file}: a sync of it failed (${failure.message}), so its content is unknown; open the session again when the disk works`
    return new Failure('storage', message, { data: failure.data, cause: failure })
  }

  #close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#syncs.durable().subscribe({
      error: (thrown: unknown) => this.#release(Failure.from(thrown, 'storage')),
      complete: () => this.#release(),
    })
  }

  /** Closes the file even if it could not be synced; the result reports that failure. */
  #release(failure?: Failure): void {
    this.#reader.close()
    const unclosed = this.#attempt('close', () => this.#options.files.closeSync(this.#options.descriptor))
    const locked = this.#attempt('unlock', () => this.#options.lock.release())
    const fault = failure ?? unclosed ?? locked
    if (fault === undefined) this.#closed$.complete()
    else this.#closed$.error(fault)
  }

  #attempt(name: string, act: () => void): Failure | undefined {
    try {
      act()
      return undefined
    } catch (thrown) {
      return storageFailure(`${name} ${this.#options.file}`, thrown)
    }
  }
}
