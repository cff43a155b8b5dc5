// What a client has seen of a session, so that after a cut it gets every durable event once, and no character twice.
import type { MessageDelta } from '../../streams/messages/delta.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { AttachOptions } from './client.ts'
import type { ClientEvent, ReceivedEvent } from '../protocol/server-frame.ts'

export interface SeenEvents {
  /** How to attach: as it was asked for, and once something was told, after the last of it. */
  from(): AttachOptions
  /** What is new of it; nothing where it was told before. Pieces that were seen in part are cut. */
  take(event: ClientEvent): ClientEvent | undefined
}

/** Remembers a number per block of the open message and per stream of running tools, nothing else. */
export function seenEvents(asked: AttachOptions): SeenEvents {
  const { after, tail, ...others } = asked
  const messages = new Map<string, Map<number, SeenBlock>>()
  const outputs = seenOutputs()
  let last: number | undefined
  let isMarked = after === undefined && tail === undefined
  let wasTold = false

  const durable = (received: ReceivedEvent, seq: number): ClientEvent | undefined => {
    if (last !== undefined && seq <= last) return undefined
    last = seq
    const { event } = received
    if (event.type === 'message_end') messages.delete(event.entryId)
    outputs.forget(event)
    return received
  }
  const transient = (received: ReceivedEvent): ClientEvent | undefined => {
    const { event } = received
    if (event.type === 'message_update') {
      const delta = newDelta(entryOf(messages, event.entryId), event.delta)
      if (delta === undefined || delta === event.delta) return delta && received
      return { ...received, event: { ...event, delta } }
    }
    const update = outputs.newOf(event)
    return update && { ...received, event: update }
  }
  return {
    from: () => (last === undefined ? asked : { ...others, after: last }),
    take: (event) => {
      switch (event.type) {
        case 'attached': {
          last ??= after ?? (tail === undefined ? event.head : Math.max(0, event.head - tail))
          if (wasTold) return undefined
          wasTold = true
          return event
        }
        case 'caught_up': {
          if (isMarked) return undefined
          isMarked = true
          return event
        }
        case 'lagging':
          isMarked = false // it is told when it has caught up again
          return event
        case 'event':
          return event.seq === undefined ? transient(event) : durable(event, event.seq)
      }
    },
  }
}

interface SeenBlock {
  /** UTF-16 units. */
  length: number
  hasEnded: boolean
}

function entryOf<Key, Value>(all: Map<string, Map<Key, Value>>, name: string): Map<Key, Value> {
  const known = all.get(name)
  if (known !== undefined) return known
  const own = new Map<Key, Value>()
  all.set(name, own)
  return own
}

function newDelta(blocks: Map<number, SeenBlock>, delta: MessageDelta): MessageDelta | undefined {
  const block = blocks.get(delta.contentIndex)
  switch (delta.type) {
    case 'text_start':
    case 'thinking_start':
    case 'toolcall_start':
      if (block !== undefined) return undefined
      blocks.set(delta.contentIndex, { length: 0, hasEnded: false })
      return delta
    case 'text_end':
    case 'thinking_end':
    case 'toolcall_end':
      if (block?.hasEnded === true) return undefined
      if (block !== undefined) block.hasEnded = true
      return delta
    default: {
      const seen = block?.length ?? 0
      const end = delta.offset + delta.text.length
      if (end <= seen) return undefined
      if (block !== undefined) block.length = end
      return delta.offset >= seen ? delta : { ...delta, offset: seen, text: delta.text.slice(seen - delta.offset) }
    }
  }
}

/** What was seen of the output of running tools and jobs: UTF-16 units of each stream. */
function seenOutputs() {
  const tools = new Map<string, Map<string, number>>()
  const jobs = new Map<string, number>()
  return {
    /** Whose output has ended. */
    forget: (event: AgentEvent): void => {
      if (event.type === 'tool_execution_end') tools.delete(event.toolCallId)
      if (event.type === 'job_end') jobs.delete(event.jobId)
    },
    /** What is new of a piece of output, nothing where it was all seen; other events as they are. */
    newOf: (event: AgentEvent): AgentEvent | undefined => {
      if (event.type === 'job_update') return newPiece(jobs, event.jobId, event)
      if (event.type !== 'tool_execution_update') return event
      return newPiece(entryOf(tools, event.toolCallId), event.updateType, event)
    },
  }
}

/** What is new of a piece of output; nothing where it was all seen. */
function newPiece<Piece extends { readonly offset: number; readonly content: string }>(
  seen: Map<string, number>,
  of: string,
  piece: Piece,
): Piece | undefined {
  const { offset, content } = piece
  const before = seen.get(of) ?? 0
  const end = offset + content.length
  if (end <= before && content !== '') return undefined
  seen.set(of, Math.max(before, end))
  return offset >= before ? piece : { ...piece, offset: before, content: content.slice(before - offset) }
}
