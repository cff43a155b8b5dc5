// Of a checked line it is read at its start which entry it ends, so that its text can be left in the file until somebody asks.
import { readLineHead } from './peek-line.ts'
import type { LineHead } from './peek-line.ts'
import { parseLine } from './parse-line.ts'

/** Where a line stands, and how long it is without its feed, in bytes. */
export interface ByteRange {
  readonly offset: number
  readonly length: number
}

export interface EntryLocation {
  readonly entryId: string
  readonly parentId: string | null
  readonly seq: number
  /** Its `message_end`. */
  readonly line: ByteRange
  /** Of a result: the `tool_execution_end`, which has its content. */
  readonly end?: ByteRange
}

export interface EntryLocator {
  /** The entry that a line ends, if it does. Lines come in order. @param head where it is known already */
  take(bytes: Buffer, offset: number, head?: LineHead): EntryLocation | undefined
}

/** Units of a line within which what is looked for mostly stands. */
const startLength = 640
const entry =
  /"event":\{"type":"message_end","entryId":"([a-z2-7]{8})","parentId":(?:null|"([a-z2-7]{8})"),"message":\{"role":"([A-Za-z]+)"(?:,"toolCallId":"([!#-[\]-~]+)")?/
const end = /"event":\{"type":"tool_execution_end","toolCallId":"([!#-[\]-~]+)"/

export function createEntryLocator(): EntryLocator {
  const ends = new Map<string, ByteRange>()
  return {
    take(bytes, offset, head = readLineHead(bytes)) {
      if (head?.seq === undefined || (head.type !== 'message_end' && head.type !== 'tool_execution_end'))
        return undefined
      const range = { offset, length: bytes.length }
      const { entryId, parentId, toolCallId } = readIds(head, bytes)
      if (entryId === undefined) {
        if (toolCallId !== undefined) ends.set(toolCallId, range)
        return undefined
      }
      const location = { entryId, parentId: parentId ?? null, seq: head.seq, line: range }
      const found = toolCallId === undefined ? undefined : ends.get(toolCallId)
      if (toolCallId === undefined || found === undefined) return location
      ends.delete(toolCallId)
      return { ...location, end: found }
    },
  }
}

interface EntryIds {
  /** Absent: it ends no entry. */
  readonly entryId?: string
  readonly parentId?: string | null | undefined
  readonly toolCallId?: string | undefined
}

function readIds({ type }: LineHead, bytes: Buffer): EntryIds {
  const start = bytes.toString('latin1', 0, startLength)
  if (type === 'tool_execution_end') {
    const toolCallId = end.exec(start)?.[1]
    return toolCallId === undefined ? parseIds(bytes) : { toolCallId }
  }
  const found = entry.exec(start)
  const [, entryId, parentId, role, toolCallId] = found ?? []
  if (entryId === undefined || (role === 'toolResult' && toolCallId === undefined)) return parseIds(bytes)
  return { entryId, parentId, toolCallId }
}

/** A line that was written otherwise. */
function parseIds(bytes: Buffer): EntryIds {
  const parsed = parseLine(bytes)
  if (!parsed.ok) return {}
  const { event } = parsed.record
  if (event.type === 'tool_execution_end') return { toolCallId: event.toolCallId }
  if (event.type !== 'message_end') return {}
  const { entryId, parentId, message } = event
  return { entryId, parentId, ...(message.role === 'toolResult' ? { toolCallId: message.toolCallId } : {}) }
}
