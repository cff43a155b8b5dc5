// Lines as a session writes them, with a counting clock and counting ids.
import { lineBody, openBody } from '../../../lib/streams/log/line-event.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import type { AssistantMessage } from '../../../lib/streams/messages/message.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import type { NewHeader, SessionLog } from '../../../lib/streams/ports/session-log.ts'

export const sampleAt = 1_700_000_000_000

export function sampleHeader(fields: Partial<NewHeader> = {}): NewHeader {
  return { id: 'abcdefghij23', createdAt: sampleAt, cwd: '/tmp', ...fields }
}

/** The body of the next line of a log. */
export function nextBody(log: SessionLog, event: AgentEvent): string {
  const seq = log.head + 1
  return lineBody({ seq, at: sampleAt + seq, runId: 'runaaaaa', event })
}

/** Appends events one by one; returns the lines of the log. */
export function appendEvents(log: SessionLog, events: readonly AgentEvent[]): string[] {
  return events.map((event) => log.append(nextBody(log, event)))
}

export function custom(data: unknown): AgentEvent {
  return { type: 'custom', customType: 'test', data }
}

export function customs(count: number): AgentEvent[] {
  return Array.from({ length: count }, (_, index) => custom(index + 1))
}

/** A piece of the answer `entryId` as it is in a checkpoint line. */
export function checkpointBody(entryId: string, offset: number, text: string): string {
  return openBody({
    at: sampleAt,
    event: { type: 'message_update', entryId, delta: { type: 'text_delta', contentIndex: 0, offset, text } },
  })
}

export function assistantMessage(text: string): AssistantMessage {
  return {
    role: 'assistant',
    content: text === '' ? [] : [{ type: 'text', text }],
    api: 'scripted',
    provider: 'demo',
    model: 'demo',
    usage: noUsage,
    stopReason: 'stop',
    timestamp: sampleAt,
  }
}

export function messageStart(entryId: string): AgentEvent {
  return { type: 'message_start', entryId, parentId: null, message: assistantMessage('') }
}

export function messageEnd(entryId: string, text: string): AgentEvent {
  return { type: 'message_end', entryId, parentId: null, message: assistantMessage(text) }
}
