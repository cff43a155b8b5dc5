// Locates the entry that a checked line ends, from the line's start alone.
// The entry's text can then stay in the file.
import { readLineHead } from './peek-line.ts'
import type { LineHead } from './peek-line.ts'
import { parseLine } from './parse-line.ts'

/** Offset and length of a line, without line feed, in bytes. */
export interface ByteRange {
  readonly offset: number
  readonly length: number
}

export interface EntryLocation {
  readonly entryId: string
  readonly parentId: string | null
  readonly seq: number
  /** Range of its `message_end`. */
  readonly line: ByteRange
  /** For a tool result: range of the `tool_execution_end`, which holds the content. */
  readonly end?: ByteRange
}

export interface EntryLocator {
  /**
   * Locates the entry that a line ends, if it ends one. Call in line order. @param head the line's head, if already
   * read
   */
  take(bytes: Buffer, offset: number, head?: LineHead): EntryLocation | undefined
}

/** Characters at the start of a line that usually hold the ids. */
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
  /** Absent: the line ends no entry. */
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

/** A line in an unusual form is parsed whole. */
function parseIds(bytes: Buffer): EntryIds {
  const parsed = parseLine(bytes)
  if (!parsed.ok) return {}
  const { event } = parsed.record
  if (event.type === 'tool_execution_end') return { toolCallId: event.toolCallId }
  if (event.type !== 'message_end') return {}
  const { entryId, parentId, message } = event
  return { entryId, parentId, ...(message.role === 'toolResult' ? { toolCallId: message.toolCallId } : {}) }
}
