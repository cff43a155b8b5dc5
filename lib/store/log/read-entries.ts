// Reads the entries of a range of a log in one pass; of all other lines only the head is read.
import type { AgentEvent, EventNamed } from '../../streams/events/event.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { Entry } from '../../streams/state/fold-session.ts'
import { restoreResult } from '../../streams/log/line-event.ts'
import type { LineHead } from '../lines/peek-line.ts'
import { readLineHead, parseEvent, toAgentEvent } from '../lines/peek-line.ts'
import { lineIsSealed, sealLength } from '../lines/line-checksum.ts'
import { readLines } from '../lines/read-lines.ts'
import { checkRecord } from './read-records.ts'
import type { RecordPosition, RecordSource } from './read-records.ts'
import { isUtf8 } from 'node:buffer'

/** Numbers of the lines that may end an entry. */
export interface EntryRange {
  readonly from: number
  readonly to: number
}

/**
 * The entries that end in this range, in log order. The content of tool results is looked up from `range.from` on.
 * @param start a line that is not after the first of them
 * @throws Failure `read_only` naming the damaged line, `storage`
 */
export function readEntries(source: RecordSource, start: RecordPosition, { from, to }: EntryRange): Entry[] {
  const entries: Entry[] = []
  const ends = new Map<string, EventNamed<'tool_execution_end'>>()
  const events = createEventBatcher(source, (event, seq) => {
    if (event.type === 'tool_execution_end') ends.set(event.toolCallId, event)
    if (event.type === 'message_end') entries.push(entryOf(event, seq, ends))
  })
  let { seq, line } = start
  for (const { bytes, offset } of readLines({ ...source, from: start.offset })) {
    if (seq > to) break
    const head = readLineHead(bytes)
    if (head?.seq !== undefined) {
      if (seq >= from && isWanted(head.type)) events.add(bytes, { seq, line, offset, head })
      seq += 1
    }
    line += 1
  }
  events.flush()
  return entries
}

interface LineToRead extends RecordPosition {
  readonly head: LineHead
}

interface EventBatcher {
  /** @throws Failure `read_only` of this line or an earlier one, `storage` */
  add(bytes: Buffer, line: LineToRead): void
  /** Emits everything that was added. @throws Failure as `add` */
  flush(): void
}

/** Emits events in order, some of them delayed until their batch is parsed. */
function createEventBatcher(source: RecordSource, onEvent: (event: AgentEvent, seq: number) => void): EventBatcher {
  const batch = new EventBatch()
  let waiting: LineToRead[] = []

  function flush(): void {
    const lines = waiting
    waiting = []
    const events = batch.take()
    lines.forEach((line, index) => {
      onEvent(events?.[index] ?? readAgain(source, line), line.seq)
    })
  }
  function isTaken(bytes: Buffer, line: LineToRead): boolean {
    if (line.head.seq !== line.seq || !lineIsSealed(bytes) || !batch.add(bytes, line.head)) return false
    waiting.push(line)
    return true
  }
  return {
    add(bytes, line) {
      if (isTaken(bytes, line)) return
      flush()
      if (!isTaken(bytes, line)) onEvent(eventOf(source, bytes, line), line.seq)
    },
    flush,
  }
}

function readAgain(source: RecordSource, line: LineToRead): AgentEvent {
  for (const { bytes } of readLines({ ...source, from: line.offset })) return eventOf(source, bytes, line)
  throw new Failure('storage', `Could not read ${source.file}: it was truncated while it was read`)
}

function isWanted(type: string): boolean {
  return type === 'message_end' || type === 'tool_execution_end'
}

function entryOf(
  { entryId, parentId, message }: EventNamed<'message_end'>,
  seq: number,
  ends: Map<string, EventNamed<'tool_execution_end'>>,
): Entry {
  if (message.role !== 'toolResult') return { entryId, parentId, message, seq }
  const end = ends.get(message.toolCallId)
  ends.delete(message.toolCallId)
  return { entryId, parentId, message: restoreResult(message, end), seq }
}

/** The event of a line; falls back to `checkRecord` only if the event or its number is wrong. */
function eventOf(source: RecordSource, bytes: Buffer, line: LineToRead): AgentEvent {
  const event = line.head.seq === line.seq && lineIsSealed(bytes) ? parseEvent(bytes, line.head) : undefined
  if (event !== undefined) return event
  const checked = checkRecord(source, bytes, line)
  if (!(checked instanceof Failure)) return checked.event
  source.damaged?.(checked, line)
  throw checked
}

// Parses the events of many lines as one JSON list: parsing line by line takes a fifth longer.

/** Size of a list in bytes, brackets included. */
const room = 64 * 1024
const [opening, comma, closing] = [0x5b, 0x2c, 0x5d]

export class EventBatch {
  readonly #bytes = Buffer.allocUnsafe(room)
  #filled = 0
  #types: string[] = []

  /** Adds the event of a sealed line; false if the batch is full, or the event's position is unknown. */
  add(line: Buffer, { type, eventAt }: LineHead): boolean {
    if (eventAt === undefined) return false
    const end = line.length - sealLength
    const behind = this.#filled + 1 + end - eventAt
    if (behind >= room) return false
    this.#bytes[this.#filled] = this.#filled === 0 ? opening : comma
    line.copy(this.#bytes, this.#filled + 1, eventAt, end)
    this.#filled = behind
    this.#types.push(type)
    return true
  }

  /** The events in order; empties the batch. Undefined if one is invalid: the caller then checks each line alone. */
  take(): readonly AgentEvent[] | undefined {
    const types = this.#types
    this.#bytes[this.#filled] = closing
    const list = types.length === 0 ? [] : tryParse(this.#bytes.subarray(0, this.#filled + 1))
    this.#types = []
    this.#filled = 0
    return list?.length === types.length ? eventsOf(list, types) : undefined
  }
}

function tryParse(bytes: Buffer): readonly unknown[] | undefined {
  if (!isUtf8(bytes)) return undefined
  try {
    const list: unknown = JSON.parse(bytes.toString())
    return Array.isArray(list) ? list : undefined
  } catch {
    return undefined // the caller checks each line
  }
}

function eventsOf(list: readonly unknown[], types: readonly string[]): readonly AgentEvent[] | undefined {
  const events: AgentEvent[] = []
  for (const value of list) {
    const event = toAgentEvent(value)
    if (event === undefined || event.type !== types[events.length]) return undefined
    events.push(event)
  }
  return events
}
