// An entry of which memory holds only where it stands; its message is read, and checked, each time that it is asked for.
import { Failure } from '../../streams/values/failure.ts'
import type { AgentEvent, EventNamed } from '../../streams/events/event.ts'
import type { Entry } from '../../streams/state/fold-session.ts'
import type { Message } from '../../streams/messages/message.ts'
import { restoreResult } from '../../streams/log/line-event.ts'
import type { ByteRange, EntryPlace } from '../lines/entry-places.ts'
import { parseLine } from '../lines/parse-line.ts'

/** Reads bytes of the log. @throws Failure `storage` */
export type ReadRange = (range: ByteRange) => Buffer

export class StoredEntry implements Entry {
  readonly entryId: string
  readonly parentId: string | null
  readonly seq: number
  readonly #place: EntryPlace
  readonly #read: ReadRange

  constructor(place: EntryPlace, read: ReadRange) {
    this.entryId = place.entryId
    this.parentId = place.parentId
    this.seq = place.seq
    this.#place = place
    this.#read = read
  }

  /** @throws Failure `read_only` where its line is damaged, or not any more what it was when it was checked, `storage` */
  get message(): Message {
    const { line, end } = this.#place
    const event = this.#event(line)
    if (event.type !== 'message_end') throw changed(line)
    const { message } = event
    return message.role === 'toolResult' ? restoreResult(message, this.#endAt(end)) : message
  }

  #endAt(range: ByteRange | undefined): EventNamed<'tool_execution_end'> | undefined {
    if (range === undefined) return undefined
    const event = this.#event(range)
    if (event.type !== 'tool_execution_end') throw changed(range)
    return event
  }

  #event(range: ByteRange): AgentEvent {
    const parsed = parseLine(this.#read(range))
    if (!parsed.ok) throw parsed.fault === 'wrong_crc' ? changed(range) : unfit(range, parsed.problem)
    return parsed.record.event
  }
}

/** By their ids. */
export function storedEntries(places: readonly EntryPlace[], read: ReadRange): ReadonlyMap<string, Entry> {
  return new Map(places.map((place) => [place.entryId, new StoredEntry(place, read)]))
}

/** Under a right checksum: only reading the whole line shows it. */
function unfit({ offset }: ByteRange, problem: string): Failure {
  const message = `The line at byte ${offset} of the log is damaged: ${problem}; "rxpi sessions verify" names it and all others`
  return new Failure('read_only', message, { data: { offset, problem } })
}

function changed({ offset }: ByteRange): Failure {
  const message = `The log was changed while its session was open: what stands at byte ${offset} is no line of it any more`
  return new Failure('read_only', message, { data: { offset } })
}
