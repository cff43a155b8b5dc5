// Appends a whole message at the head: state first, then its two events.
import type { Conversation } from '../../operators/ports/run-ports.ts'
import { bashExecutionIn } from '../../streams/messages/bash-execution.ts'
import { contextMessage, contextMessageIn } from '../../streams/messages/context-message.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { Message } from '../../streams/messages/message.ts'

/** Returns `message_start`, without the output of a command or the text of a note, and `message_end`. */
export function appendMessage(
  message: Message,
  { nextEntryId, headEntryId: parentId, append }: Pick<Conversation, 'nextEntryId' | 'headEntryId' | 'append'>,
): AgentEvent[] {
  const entryId = nextEntryId()
  append(entryId, message)
  return [
    { type: 'message_start', entryId, parentId, message: startOf(message) },
    { type: 'message_end', entryId, parentId, message },
  ]
}

function startOf(message: Message): Message {
  const note = contextMessageIn(message)
  if (note !== undefined) return contextMessage({ ...note, content: '' })
  return bashExecutionIn(message) === undefined ? message : { ...message, ...{ output: '' } }
}
