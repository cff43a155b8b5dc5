// Who joins in mid-message is told each block's start and its text so far as one piece, and what running tools have said.
import type { MessageDelta } from '../streams/delta.ts'
import type { AgentEvent } from '../streams/event.ts'
import type { OpenMessage, RunningTool, SessionState } from '../streams/fold-session.ts'
import type { AssistantContent } from '../streams/message.ts'
import { recordFrame } from './frame.ts'
import type { ServedSession } from './served-session.ts'

/** The transient frames that bring a client from the last durable event to `state`. Pieces have `offset` 0. */
export function snapshotFrames({ session, channel }: ServedSession, state: SessionState): string[] {
  const tools = [...state.tools.values()].filter((tool) => tool.end === undefined)
  const events: AgentEvent[] = [
    ...(state.open === undefined ? [] : messageUpdates(state.open)),
    ...tools.flatMap((tool) => toolUpdates(tool)),
  ]
  return events.map((event) => recordFrame(session.id, channel, { event, at: 0 }))
}

function messageUpdates({ entryId, message }: OpenMessage): AgentEvent[] {
  if (message.role !== 'assistant') return []
  return message.content
    .flatMap((block, contentIndex) => blockDeltas(block, contentIndex))
    .map((delta) => ({ type: 'message_update', entryId, delta }))
}

function blockDeltas(block: AssistantContent, contentIndex: number): MessageDelta[] {
  switch (block.type) {
    case 'text': {
      const { text, textSignature: signature } = block
      const end = signature === undefined ? [] : [{ type: 'text_end', contentIndex, signature } as const]
      return [{ type: 'text_start', contentIndex }, ...piece('text_delta', contentIndex, text), ...end]
    }
    case 'thinking': {
      const { thinking, thinkingSignature: signature, redacted } = block
      const end = signature === undefined ? [] : [{ type: 'thinking_end', contentIndex, signature } as const]
      const start = { type: 'thinking_start', contentIndex, ...(redacted === true ? { redacted } : {}) } as const
      return [start, ...piece('thinking_delta', contentIndex, thinking), ...end]
    }
    case 'toolCall': {
      const { id, name, argumentsText, thoughtSignature: signature } = block
      const start = { type: 'toolcall_start', contentIndex, id, name } as const
      if (argumentsText !== undefined) return [start, ...piece('toolcall_delta', contentIndex, argumentsText)]
      const more = signature === undefined ? {} : { signature }
      return [start, { type: 'toolcall_end', contentIndex, arguments: block.arguments, ...more }]
    }
  }
}

type PieceType = 'text_delta' | 'thinking_delta' | 'toolcall_delta'

function piece(type: PieceType, contentIndex: number, text: string): MessageDelta[] {
  return text === '' ? [] : [{ type, contentIndex, offset: 0, text }]
}

function toolUpdates({ toolCallId, output }: RunningTool): AgentEvent[] {
  return Object.entries(output).map(([name, { offset, text }]) => ({
    type: 'tool_execution_update',
    toolCallId,
    updateType: name as 'stdout', // keys of `output` are the update types that were folded
    content: text,
    offset,
  }))
}
