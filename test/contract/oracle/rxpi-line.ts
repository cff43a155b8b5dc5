// Formats one event of ours in the short notation; an event that pi lacks keeps its own name.
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import type { SessionState } from '../../../lib/streams/state/fold-session.ts'
import type { Message } from '../../../lib/streams/messages/message.ts'
import { callEndLine, callLine, endLine, progressLine, startLine, turnEndLine, updateLine } from './event-lines.ts'
import type { Wording } from './wordings.ts'

/** `state` is the session's at that event. */
export function rxpiLine(event: AgentEvent, state: SessionState, wording: Wording): string {
  const messageOf = (entryId: string | null) => state.entries.get(entryId ?? '')?.message
  switch (event.type) {
    case 'agent_start':
      return 'AS'
    case 'agent_end':
      return 'AE'
    case 'agent_settled':
      return 'SET'
    case 'turn_start':
      return 'TS'
    case 'turn_end':
      return turnEndLine(messageOf(event.messageEntryId), event.toolResultEntryIds.map(messageOf).map(callIdOf))
    case 'message_start':
      return startLine(event.message)
    case 'message_end':
      return endLine(event.message, wording)
    case 'message_update':
      return updateLine(event.delta, 'text' in event.delta ? event.delta.text : undefined)
    case 'tool_execution_start':
      return callLine(event.toolCallId, event.toolName, event.args)
    case 'tool_execution_update':
      return progressLine(event.toolCallId, event.content)
    case 'tool_execution_end':
      return callEndLine(event.toolCallId, event, wording)
    default:
      return 'code' in event ? `${event.type}(${event.code})` : event.type
  }
}

function callIdOf(message: Message | undefined): string | undefined {
  return message?.role === 'toolResult' ? message.toolCallId : undefined
}
