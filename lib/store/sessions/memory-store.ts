// Stores sessions in memory, for `--no-session` and for programs that write nothing to disk.
import { Subject, EMPTY, Observable, of, takeUntil } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import type { SessionStore, SessionLog } from '../../streams/ports/session-log.ts'
import { newHeader, parseHeader } from '../lines/parse-header.ts'
import { sessionFolder } from './session-folder.ts'
import type { SessionHeader, SessionRecord } from '../../streams/log/log-line.ts'
import { readLineHead } from '../lines/peek-line.ts'
import { parseLine } from '../lines/parse-line.ts'
import { sealLine } from '../lines/line-checksum.ts'

/**
 * Keeps every line of every session in memory until the store is dropped.
 * @param saved sessions that another place keeps, each as its lines, the header first; the one that was written to last is last.
 *   Default: none
 * @throws Failure `read_only` for a line that is damaged or not the next one
 */
export function memoryStore(saved: Iterable<readonly string[]> = []): SessionStore {
  const files = new Map(Array.from(saved, savedFile)) // ordered by the last write

  function logOf(file: MemoryFile, readOnly = false): MemoryLog {
    const { id } = file.header
    const onWrite = (): void => {
      files.delete(id)
      files.set(id, file)
    }
    return new MemoryLog({ file, onWrite, readOnly })
  }

  return {
    create(fields) {
      const { header, headerLine } = newHeader(fields)
      if (files.has(header.id))
        throw new Failure('storage', `There is a session ${header.id} already; choose another id`)
      const file: MemoryFile = { header, headerLine, lines: [], checkpoints: [], appended$: new Subject() }
      files.set(header.id, file)
      return logOf(file)
    },
    open(sessionId, { readOnly = false } = {}) {
      const file = files.get(sessionId)
      if (file === undefined) throw new Failure('unknown_session', `There is no session ${JSON.stringify(sessionId)}`)
      return { log: logOf(file, readOnly), warnings: [] }
    },
    madeBy: (opId, cwd, parent) => {
      const folder = sessionFolder(cwd)
      const headers = [...files.values()]
        .map(({ header }) => header)
        .filter((each) => sessionFolder(each.cwd) === folder)
      return headers.findLast((each) => each.opId === opId && each.parent?.sessionId === parent)
    },
    latest(cwd) {
      const folder = sessionFolder(cwd)
      return [...files.values()].findLast(({ header }) => sessionFolder(header.cwd) === folder)?.header.id
    },
  }
}

// The log of a session without a file: the same guarantees in memory, for the life of the process.

/** The lines of a file, in memory. Grows with each appended line. */
interface MemoryFile {
  readonly header: SessionHeader
  readonly headerLine: string
  /** The numbered lines in order; line `seq` is at index `seq - 1`. */
  readonly lines: string[]
  /** The checkpoint lines since the last message ended. */
  readonly checkpoints: string[]
  /** Emits after each numbered line. */
  readonly appended$: Subject<void>
}

interface MemoryLogOptions {
  readonly file: MemoryFile
  readonly readOnly: boolean
  /** Called after each line. */
  onWrite(): void
}

/** A log over lines in memory that outlive it: they can be opened again. */
class MemoryLog implements SessionLog {
  readonly readOnly: Failure | undefined
  readonly #file: MemoryFile
  readonly #onWrite: () => void
  /** Checkpoints of the message that was unfinished when the log was opened. */
  readonly #checkpoints: readonly string[]
  readonly #closed$ = new Subject<void>()
  #closed = false

  constructor({ file, readOnly, onWrite }: MemoryLogOptions) {
    this.#file = file
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
    const line = sealLine(body)
    const { lines, checkpoints } = this.#file
    lines.push(line)
    if (checkpoints.length > 0 && readLineHead(Buffer.from(line))?.type === 'message_end') checkpoints.length = 0
    this.#onWrite()
    this.#file.appended$.next()
    return line
  }

  checkpoint(body: string): void {
    this.#assertWritable()
    this.#file.checkpoints.push(sealLine(body))
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
      const record = recordOf(line)
      if (only?.has(record.event.type) !== false) yield record
    }
  }

  checkpoints(): Iterable<SessionRecord> {
    return { [Symbol.iterator]: () => recordsOf(this.#checkpoints) }
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
          subscriber.next(recordOf(line))
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

  #assertWritable(): void {
    this.#assertOpen('write to')
    if (this.readOnly !== undefined) throw this.readOnly
  }

  #assertOpen(act: string): void {
    if (this.#closed) throw new Failure('storage', `Could not ${act} session ${this.header.id}: it was closed`)
  }
}

/** Checks the lines of a saved session; what stands behind a damaged line could not be read. */
function savedFile([headerLine = '', ...lines]: readonly string[]): [string, MemoryFile] {
  const parsed = parseHeader(Buffer.from(headerLine))
  if (!parsed.ok) throw damagedLine(1, parsed.fault === 'damaged' ? parsed.problem : `it has version ${parsed.version}`)
  const { header, line } = parsed
  for (const [index, text] of lines.entries()) {
    const read = parseLine(Buffer.from(text))
    if (!read.ok) throw damagedLine(index + 2, read.problem, header.id)
    if (read.record.seq !== index + 1) throw damagedLine(index + 2, `its number is not ${index + 1}`, header.id)
  }
  return [header.id, { header, headerLine: line, lines: [...lines], checkpoints: [], appended$: new Subject() }]
}

function damagedLine(number: number, problem: string, id = 'in memory'): Failure {
  return new Failure('read_only', `Line ${number} of the saved session ${id} is damaged: ${problem}`)
}

function readOnlyFailure(id: string): Failure {
  return new Failure('read_only', `Session ${id} was opened for reading only; open it again to continue it`)
}

function* recordsOf(lines: readonly string[]): Generator<SessionRecord, void> {
  for (const line of lines) yield recordOf(line)
}

function recordOf(line: string): SessionRecord {
  const parsed = parseLine(Buffer.from(line))
  if (parsed.ok) return parsed.record
  throw new Failure('internal', `A line in memory cannot be read: ${parsed.problem}`)
}
