// Turns a session's frames into events: expands compact deltas and restores the bytes of log lines.
import type { MessageDelta, PieceDelta } from '../../streams/messages/delta.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import { Failure } from '../../streams/values/failure.ts'
import { knowsEvent } from '../../streams/events/known-events.ts'
import type { ReceivedEvent, DeltaFrame, EventFrame } from '../protocol/server-frame.ts'
import { durablePrefix } from '../protocol/frame.ts'

export interface FrameReceiver {
  /** Returns undefined for an unknown event type. @throws Failure `bad_json` if a durable frame has another form */
  event(frame: EventFrame, line: string): ReceivedEvent | undefined
  /** Returns undefined if the block's start was not received. */
  delta(frame: DeltaFrame): ReceivedEvent | undefined
}

type PieceType = PieceDelta['type']

const pieceTypes: Readonly<Partial<Record<MessageDelta['type'], PieceType>>> = {
  text_start: 'text_delta',
  thinking_start: 'thinking_delta',
  toolcall_start: 'toolcall_delta',
}

/** Stores the kind of each block of the open message. */
export function receiveFrames(session: string): FrameReceiver {
  const prefix = durablePrefix(session)
  const kinds = new Map<string, PieceType[]>()
  const recordKind = (event: AgentEvent): void => {
    if (event.type === 'message_end') kinds.delete(event.entryId)
    if (event.type !== 'message_update') return
    const kind = pieceTypes[event.delta.type]
    if (kind === undefined) return
    const blocks = kinds.get(event.entryId) ?? []
    blocks[event.delta.contentIndex] = kind
    kinds.set(event.entryId, blocks)
  }
  return {
    event: (frame, line) => {
      const { event, seq, at, runId, opId } = frame
      if (!knowsEvent(event.type)) return undefined
      const known = event as AgentEvent // by its type; the server checked it
      recordKind(known)
      if (seq === undefined || at === undefined) return { type: 'event', event: known }
      return {
        type: 'event',
        event: known,
        seq,
        at,
        ...(runId === undefined ? {} : { runId }),
        ...(opId === undefined ? {} : { opId }),
        line: logLine(line, prefix),
      }
    },
    delta: ({ entryId, block, offset, text }) => {
      const type = kinds.get(entryId)?.[block]
      if (type === undefined) return undefined
      return {
        type: 'event',
        event: { type: 'message_update', entryId, delta: { type, contentIndex: block, offset, text } },
      }
    },
  }
}

function logLine(frame: string, prefix: string): string {
  if (frame.startsWith(prefix)) return `{${frame.slice(prefix.length)}`
  throw new Failure('bad_json', `The server sent a durable event whose frame does not begin with ${prefix}`)
}
