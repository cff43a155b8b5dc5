// Reads the number and event type at a line's head, or its event, without checking the rest.
import { hasAt, sealLength } from './line-checksum.ts'
import { tryParseJson } from './parse-line.ts'
import { isRecord } from '../../streams/values/json.ts'
import { isUtf8 } from 'node:buffer'
import type { AgentEvent } from '../../streams/events/event.ts'
import { checkEvent } from '../../streams/validation/validators.ts'

export interface LineHead {
  /** Absent on a checkpoint line. */
  readonly seq?: number
  /** The event's type. */
  readonly type: string
  /**
   * Offset of the event in bytes; absent if the line had to be parsed: it has an `opId`, or another program wrote it.
   */
  readonly eventAt?: number
}

const parts = {
  seq: Buffer.from('{"seq":'),
  at: Buffer.from(',"at":'),
  checkpointAt: Buffer.from('{"at":'),
  runId: Buffer.from(',"runId":"'),
  eventName: Buffer.from(',"event":'),
  event: Buffer.from(',"event":{"type":"'),
}
/** A run id with its closing quote. */
const runIdLength = 9
const maxDigits = 16
const [quote, dot, zero, nine] = [34, 46, 48, 57]

/** Number and type of a line after the first; `undefined` if it is not such a line. Does not check the rest. */
export function readLineHead(line: Buffer): LineHead | undefined {
  return readPlainHead(line) ?? parseHead(line)
}

/** Reads the form that rxpi writes, without an `opId`. Works byte by byte, because a log has many lines. */
function readPlainHead(line: Buffer): LineHead | undefined {
  if (hasAt(line, parts.checkpointAt, 0)) {
    return readEventType(line, parts.checkpointAt.length)
  }
  if (!hasAt(line, parts.seq, 0)) return undefined
  const seqEnd = digitsEnd(line, parts.seq.length)
  const seq = readNumber(line, parts.seq.length, seqEnd)
  if (seq === undefined || !hasAt(line, parts.at, seqEnd)) return undefined
  const event = readEventType(line, seqEnd + parts.at.length)
  return event === undefined ? undefined : { seq, ...event }
}

/** The event after a time and an optional run id. */
function readEventType(line: Buffer, from: number): Required<Omit<LineHead, 'seq'>> | undefined {
  let position = digitsEnd(line, from)
  if (position === from) return undefined
  if (line[position] === dot) position = digitsEnd(line, position + 1)
  if (hasAt(line, parts.runId, position)) position += parts.runId.length + runIdLength
  const type = hasAt(line, parts.event, position) ? readWord(line, position + parts.event.length) : undefined
  return type === undefined ? undefined : { type, eventAt: position + parts.eventName.length }
}

function digitsEnd(line: Buffer, from: number): number {
  let end = from
  while (isDigit(line[end])) end += 1
  return end
}

function isDigit(byte = 0): boolean {
  return byte >= zero && byte <= nine
}

/** Undefined if the number is invalid or not in canonical form. */
function readNumber(line: Buffer, from: number, end: number): number | undefined {
  if (end === from || end - from > maxDigits || line[from] === zero) return undefined
  let value = 0
  for (let position = from; position < end; position++) value = value * 10 + (line[position] ?? 0) - zero
  return Number.isSafeInteger(value) ? value : undefined
}

/** Words already read, by a sum of their letters: each becomes a string once. */
const words = new Map<number, { readonly text: string; readonly bytes: Buffer }>()
const maxCachedWords = 256
const maxWordLength = 64

/** The lower-case word (`a` to `z` and `_`) that ends at the next quote. */
function readWord(line: Buffer, from: number): string | undefined {
  let end = from
  let sum = 0
  for (let byte = line[end] ?? 0; isLetter(byte); byte = line[end] ?? 0) {
    sum = (Math.imul(sum, 31) + byte) | 0
    end += 1
  }
  if (end === from || line[end] !== quote) return undefined
  const known = words.get(sum)
  if (known?.bytes.length === end - from && hasAt(line, known.bytes, from)) return known.text
  const text = line.toString('latin1', from, end)
  if (words.size < maxCachedWords && text.length <= maxWordLength) words.set(sum, { text, bytes: Buffer.from(text) })
  return text
}

function isLetter(byte: number): boolean {
  return (byte >= 97 && byte <= 122) || byte === 95
}

function parseHead(line: Buffer): LineHead | undefined {
  const value = tryParseJson(line)
  if (!isRecord(value) || !isRecord(value['event'])) return undefined
  const { seq, event } = value
  const { type } = event
  if (typeof type !== 'string') return undefined
  if (seq === undefined) return { type }
  return typeof seq === 'number' && Number.isSafeInteger(seq) && seq > 0 ? { seq, type } : undefined
}

// Parses the event of a line whose checksum is correct; folds need only that, not the record's other fields.

/**
 * Undefined if the event's type is unknown or the event does not fit it; `parseLine` says why.
 * @param head the position at which the event begins, if known
 */
export function parseEvent(line: Buffer, { eventAt }: Pick<LineHead, 'eventAt'> = {}): AgentEvent | undefined {
  if (!isUtf8(line)) return undefined
  const alone =
    eventAt === undefined ? undefined : tryParseJson(line.toString('utf8', eventAt, line.length - sealLength))
  // more text after the event is not JSON
  return toAgentEvent(alone ?? parseEventAt(tryParseJson(line)))
}

function parseEventAt(line: unknown): unknown {
  return typeof line === 'object' && line !== null && 'event' in line ? line.event : undefined
}

/** The value as an event; undefined if its type is unknown or it does not fit the schema of its type. */
export function toAgentEvent(value: unknown): AgentEvent | undefined {
  const checked = isTyped(value) ? checkEvent(value) : undefined
  return checked?.ok === true ? checked.value : undefined
}

function isTyped(value: unknown): value is { readonly type: string } {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}
