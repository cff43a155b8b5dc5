// Holds the lines of one session in memory, with the guarantees of a file for the life of the process.
import { EMPTY, Observable, Subject, of, takeUntil } from 'rxjs'
import type { SessionHeader, SessionRecord } from '../log/log-line.ts'
import type { NewHeader, SessionLog } from '../ports/session-log.ts'
import type { CreatedHeader, ParsedHeader, ParsedLine } from '../validation/check-line.ts'
import { Failure } from '../values/failure.ts'

/** How the lines of the store are sealed and read. */
export interface LineFormat {
  /** The whole line, without line feed, from a body that lacks only its closing brace. */
  seal(body: string): string
  parseLine(line: string): ParsedLine
  parseHeader(line: string): ParsedHeader
  /** @throws Failure `bad_request` naming the field */
  newHeader(fields: NewHeader): CreatedHeader
  /** A name that two spellings of one working folder share. */
  folderOf(cwd: string): string
}

/** The lines of a file, in memory. Grows with each appended line. */
export interface MemoryFile {
  readonly header: SessionHeader
  readonly headerLine: string
  /** The numbered lines in order; line `seq` is at index `seq - 1`. */
  readonly lines: string[]
  /** The checkpoint lines since the last message ended. */
  readonly checkpoints: string[]
  /** Emits after each numbered line. */
  readonly appended$: Subject<void>
}

/** Saves a line before the store has it. @throws Failure `storage` */
export type SaveSync = (line: string, seq: number, sessionId: string) => void

interface MemoryLogParts {
  readonly format: LineFormat
  readonly file: MemoryFile
  readonly readOnly: boolean
  readonly save: SaveSync
  /** Called after each line. */
  onWrite(): void
}

/** A log over lines in memory that outlive it: they can be opened again. */
export class MemoryLog implements SessionLog {
  readonly readOnly: Failure | undefined
  readonly #format: LineFormat
  readonly #file: MemoryFile
  readonly #save: SaveSync
  readonly #onWrite: () => void
  /** Checkpoints of the message that was unfinished when the log was opened. */
  readonly #checkpoints: readonly string[]
  readonly #closed$ = new Subject<void>()
  #closed = false

  constructor({ format, file, save, readOnly, onWrite }: MemoryLogParts) {
    this.#format = format
    this.#file = file
    this.#save = save
    this.#onWrite = onWrite
    this.#checkpoints = [...file.checkpoints]
    this.readOnly = readOnly ? readOnlyFailure(file.header.id) : undefined
  }

  get header(): SessionHeader {
    return this.#file.header
  }

  get headerLine(): string {
    return this.#file.headerLine
  }

  get head(): number {
    return this.#file.lines.length
  }

  append(body: string): string {
    this.#assertWritable()
    const seq = this.head + 1
    if (!body.startsWith(`{"seq":${seq},`))
      throw new Failure('internal', `The next line of a log must be number ${seq}`)
    const line = this.#format.seal(body)
    this.#save(line, seq, this.header.id)
    const { lines, checkpoints } = this.#file
    lines.push(line)
    if (checkpoints.length > 0 && this.#record(line).event.type === 'message_end') checkpoints.length = 0
    this.#onWrite()
    this.#file.appended$.next()
    return line
  }

  checkpoint(body: string): void {
    this.#assertWritable()
    this.#file.checkpoints.push(this.#format.seal(body))
    this.#onWrite()
  }

  /** Does nothing. */
  sync(): void {}

  /** Completes at once: there is no disk to wait for. */
  durable(): Observable<void> {
    return of(undefined)
  }

  *records(after = 0, only?: ReadonlySet<string>): Generator<SessionRecord, void> {
    for (let position = after; position < this.head; position += 1) {
      this.#assertOpen('read')
      const line = this.#file.lines[position]
      if (line === undefined) continue
      const record = this.#record(line)
      if (only?.has(record.event.type) !== false) yield record
    }
  }

  checkpoints(): Iterable<SessionRecord> {
    return this.#checkpoints.map((line) => this.#record(line))
  }

  follow(after = 0): Observable<SessionRecord> {
    const { lines, appended$ } = this.#file
    return new Observable((subscriber) => {
      let position = after
      let reading = false
      const read = (): void => {
        if (reading) return // a line that a handler appends comes after the one that it received
        reading = true
        for (let line = lines[position]; line !== undefined && !subscriber.closed; line = lines[position]) {
          position += 1
          subscriber.next(this.#record(line))
        }
        reading = false
      }
      read()
      subscriber.add(
        appended$.pipe(takeUntil(this.#closed$)).subscribe({ next: read, complete: () => subscriber.complete() }),
      )
    })
  }

  close(): Observable<never> {
    this.#closed = true
    this.#closed$.next()
    return EMPTY
  }

  #record(line: string): SessionRecord {
    const parsed = this.#format.parseLine(line)
    if (parsed.ok) return parsed.record
    throw new Failure('internal', `A line in memory cannot be read: ${parsed.problem}`)
  }

  #assertWritable(): void {
    this.#assertOpen('write to')
    if (this.readOnly !== undefined) throw this.readOnly
  }

  #assertOpen(act: string): void {
    if (this.#closed) throw new Failure('storage', `Could not ${act} session ${this.header.id}: it was closed`)
  }
}

function readOnlyFailure(id: string): Failure {
  return new Failure('read_only', `Session ${id} was opened for reading only; open it again to continue it`)
}
