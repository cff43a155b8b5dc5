// Creates a conversation in memory for tests.
import { createConversation } from '../operators/run/conversation.ts'
import type { Conversation } from '../operators/ports/run-ports.ts'
import type { Ids } from '../streams/values/identifiers.ts'
import type { Message } from '../streams/messages/message.ts'

/** An empty conversation, or one that goes on after `history`; its ids come from `ids`. */
export function memoryConversation(ids: Ids, history: readonly Message[] = []): Conversation {
  return createConversation({ history, headEntryId: history.length === 0 ? null : ids.short(), nextEntryId: ids.short })
}
