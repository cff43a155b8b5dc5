// An entry of which memory holds only where it stands; its message is read, and checked, each time that it is asked for.
import { Failure } from '../streams/failure.ts'
import { emptySession, foldSession } from '../streams/fold-session.ts'
import type { Entry } from '../streams/fold-session.ts'
import type { Message } from '../streams/message.ts'
import type { SessionRecord } from '../streams/session-record.ts'
import type { ByteRange, EntryPlace } from './entry-places.ts'
import { parseLine } from './parse-line.ts'

/** Reads bytes of the log. @throws Failure `storage` */
export type ReadRange = (range: ByteRange) => Buffer

export class StoredEntry implements Entry {
  readonly entryId: string
  readonly parentId: string | null
  readonly seq: number
  readonly #place: Pick<EntryPlace, 'line' | 'end'>
  readonly #read: ReadRange

  constructor({ entryId, parentId, seq, ...place }: EntryPlace, read: ReadRange) {
    this.entryId = entryId
    this.parentId = parentId
    this.seq = seq
    this.#place = place
    this.#read = read
  }

  /** @throws Failure `read_only` where its line is not any more what it was when it was checked, `storage` */
  get message(): Message {
    const { line, end } = this.#place
    let state = emptySession()
    if (end !== undefined) state = foldSession(foldSession(state, { event: this.#startOf(end) }), this.#record(end))
    const entry = foldSession(state, this.#record(line)).entries.get(this.entryId)
    if (entry === undefined) throw changed(line)
    return entry.message
  }

  /** Folds take an end in only where there was a start. */
  #startOf(range: ByteRange): SessionRecord['event'] {
    const { event } = this.#record(range)
    if (event.type !== 'tool_execution_end') throw changed(range)
    const { toolCallId, toolName } = event
    return { type: 'tool_execution_start', toolCallId, toolName, entryId: this.entryId }
  }

  #record(range: ByteRange): SessionRecord {
    const parsed = parseLine(this.#read(range))
    if (!parsed.ok) throw changed(range)
    return parsed.record
  }
}

function changed({ offset }: ByteRange): Failure {
  const message = `The log was changed while its session was open: what stands at byte ${offset} is no line of it any more`
  return new Failure('read_only', message, { data: { offset } })
}
