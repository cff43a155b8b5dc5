// Drops events and characters that a client already received.
// A reconnection therefore repeats nothing.
import type { MessageDelta } from '../../streams/messages/delta.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import { TextCursor } from '../../streams/values/text-cursor.ts'
import type { AttachOptions } from './client.ts'
import type { ClientEvent, ReceivedEvent } from '../protocol/server-frame.ts'

export interface EventDeduplicator {
  /** Returns how to attach: as requested at first, after the last durable event once one was received. */
  attachOptions(): AttachOptions
  /** Returns what is new of the event; undefined if nothing is. A piece that was received in part is cut. */
  filter(event: ClientEvent): ClientEvent | undefined
}

export interface DedupeOptions {
  /** Passes on `attached` of each connection, not only the first. Default false. */
  readonly repeatsAttached?: boolean | undefined
}

/** Stores one cursor per block of the open message and per stream of running tools and jobs. */
export function dedupeEvents(requested: AttachOptions, options: DedupeOptions = {}): EventDeduplicator {
  const { after, tail, ...others } = requested
  const messages = new Map<string, Map<number, BlockCursor>>()
  const outputs = outputCursors()
  let lastSeq: number | undefined
  let hasCaughtUp = after === undefined && tail === undefined
  let hasAttached = false

  const filterDurable = (received: ReceivedEvent, seq: number): ClientEvent | undefined => {
    if (lastSeq !== undefined && seq <= lastSeq) return undefined
    lastSeq = seq
    const { event } = received
    if (event.type === 'message_end') messages.delete(event.entryId)
    outputs.forget(event)
    return received
  }
  const filterTransient = (received: ReceivedEvent): ClientEvent | undefined => {
    const { event } = received
    if (event.type === 'message_update') {
      const delta = filterDelta(getOrCreate(messages, event.entryId), event.delta)
      if (delta === undefined || delta === event.delta) return delta && received
      return { ...received, event: { ...event, delta } }
    }
    const update = outputs.filter(event)
    return update && { ...received, event: update }
  }
  return {
    attachOptions: () => (lastSeq === undefined ? requested : { ...others, after: lastSeq }),
    filter: (event) => {
      switch (event.type) {
        case 'attached': {
          lastSeq ??= after ?? (tail === undefined ? event.head : Math.max(0, event.head - tail))
          if (hasAttached && options.repeatsAttached !== true) return undefined
          hasAttached = true
          return event
        }
        case 'caught_up': {
          if (hasCaughtUp) return undefined
          hasCaughtUp = true
          return event
        }
        case 'lagging':
          hasCaughtUp = false // another `caught_up` follows
          return event
        case 'event':
          return event.seq === undefined ? filterTransient(event) : filterDurable(event, event.seq)
      }
    },
  }
}

interface BlockCursor {
  readonly text: TextCursor
  hasEnded: boolean
}

function getOrCreate<Key, Value>(all: Map<string, Map<Key, Value>>, name: string): Map<Key, Value> {
  const known = all.get(name)
  if (known !== undefined) return known
  const own = new Map<Key, Value>()
  all.set(name, own)
  return own
}

function filterDelta(blocks: Map<number, BlockCursor>, delta: MessageDelta): MessageDelta | undefined {
  const block = blocks.get(delta.contentIndex)
  switch (delta.type) {
    case 'text_start':
    case 'thinking_start':
    case 'toolcall_start':
      if (block !== undefined) return undefined
      blocks.set(delta.contentIndex, { text: new TextCursor(), hasEnded: false })
      return delta
    case 'text_end':
    case 'thinking_end':
    case 'toolcall_end':
      if (block?.hasEnded === true) return undefined
      if (block !== undefined) block.hasEnded = true
      return delta
    default: {
      const cursor = block?.text ?? new TextCursor()
      const text = cursor.advance(delta)
      if (text === '') return undefined
      const skipped = delta.text.length - text.length
      return skipped === 0 ? delta : { ...delta, offset: delta.offset + skipped, text }
    }
  }
}

interface OutputCursors {
  /** Drops the cursors of a tool or job that has ended. */
  forget(event: AgentEvent): void
  /** Returns what is new of a piece of output, undefined if nothing is; other events as they are. */
  filter(event: AgentEvent): AgentEvent | undefined
}

function outputCursors(): OutputCursors {
  const tools = new Map<string, Map<string, TextCursor>>()
  const jobs = new Map<string, TextCursor>()
  return {
    forget: (event) => {
      if (event.type === 'tool_execution_end') tools.delete(event.toolCallId)
      if (event.type === 'job_end') jobs.delete(event.jobId)
    },
    filter: (event) => {
      if (event.type === 'job_update') return filterPiece(jobs, event.jobId, event)
      if (event.type !== 'tool_execution_update') return event
      return filterPiece(getOrCreate(tools, event.toolCallId), event.updateType, event)
    },
  }
}

function filterPiece<Piece extends { readonly offset: number; readonly content: string }>(
  cursors: Map<string, TextCursor>,
  name: string,
  piece: Piece,
): Piece | undefined {
  const { offset, content: text } = piece
  const cursor = cursors.get(name) ?? new TextCursor()
  cursors.set(name, cursor)
  if (text === '') return piece // says that the tool runs
  const content = cursor.advance({ offset, text })
  if (content === '') return undefined
  return content === text ? piece : { ...piece, offset: offset + text.length - content.length, content }
}
