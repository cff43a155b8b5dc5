// A message that was never streamed here begins like any other: with all it has but its content.
import type { EventNamed } from '../../streams/events/event.ts'
import type { Message } from '../../streams/messages/message.ts'
import { noUsage } from '../../streams/messages/message.ts'

/** The `message_start` that stands before this end. */
export function messageStart({ entryId, parentId, message }: EventNamed<'message_end'>): EventNamed<'message_start'> {
  return { type: 'message_start', entryId, parentId, message: begun(message) }
}

function begun(message: Message): Message {
  const { timestamp } = message
  switch (message.role) {
    case 'user':
      return { role: 'user', content: [], timestamp }
    case 'assistant': {
      const { role, api, provider, model } = message
      return { role, content: [], api, provider, model, usage: noUsage, stopReason: 'stop', timestamp }
    }
    case 'toolResult': {
      const { role, toolCallId, toolName, isError } = message
      return { role, toolCallId, toolName, content: [], isError, timestamp }
    }
    default:
      return { role: (message as Message).role, timestamp } as unknown as Message // a custom role: its schema asks for no more
  }
}
