// Provides one event per letter, for marble tests over a session's events.
import type { PieceDelta } from '../../../lib/streams/messages/delta.ts'
import type { AgentEvent, EventNamed } from '../../../lib/streams/events/event.ts'
import type { AssistantMessage } from '../../../lib/streams/messages/message.ts'
import { assistant, sampleEvents, user } from '../../streams/events/samples.ts'

type ToolUpdate = EventNamed<'tool_execution_update'>

export function messageStart(message: EventNamed<'message_start'>['message'] = assistant(), entryId = 'entry') {
  return { type: 'message_start', entryId, parentId: null, message } satisfies AgentEvent
}

export function messageEnd(message: EventNamed<'message_end'>['message'], entryId = 'entry') {
  return { type: 'message_end', entryId, parentId: null, message } satisfies AgentEvent
}

export function update(delta: EventNamed<'message_update'>['delta'], entryId = 'entry') {
  return { type: 'message_update', entryId, delta } satisfies AgentEvent
}

/** A delta of block `contentIndex`. */
export function piece(text: string, offset: number, contentIndex = 0, type: PieceDelta['type'] = 'text_delta') {
  return update({ type, contentIndex, offset, text })
}

export function output(content: string, offset: number, more: Partial<ToolUpdate> = {}): ToolUpdate {
  return { type: 'tool_execution_update', toolCallId: 'call_1', updateType: 'stdout', content, offset, ...more }
}

export function toolStart(toolCallId = 'call_1'): AgentEvent {
  return { ...sampleEvents.tool_execution_start, toolCallId }
}

export function toolEnd(toolCallId = 'call_1'): AgentEvent {
  return { ...sampleEvents.tool_execution_end, toolCallId }
}

/** An assistant message of text blocks. */
export function texts(...blocks: readonly string[]): AssistantMessage {
  return assistant(blocks.map((text) => ({ type: 'text', text })))
}

/** The events of a run without tools that answers "Hi" to "Hello", by letter: `rtuUabeTRs`. */
export const letters = {
  r: sampleEvents.agent_start,
  t: sampleEvents.turn_start,
  u: messageStart(user([]), 'question'),
  U: messageEnd(user(), 'question'),
  m: messageStart(),
  o: update({ type: 'text_start', contentIndex: 0 }),
  a: piece('H', 0),
  b: piece('i', 1),
  e: messageEnd(texts('Hi')),
  T: sampleEvents.turn_end,
  R: sampleEvents.agent_end,
  s: sampleEvents.agent_settled,
} satisfies Record<string, AgentEvent>
