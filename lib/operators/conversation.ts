// The transcript as the run grows it, kept incrementally: no turn walks the session again.
import type { Message } from '../streams/message.ts'
import type { Conversation } from './run-ports.ts'

export interface ConversationOptions {
  /** From the root to the head, oldest first. */
  readonly history: readonly Message[]
  readonly headEntryId: string | null
  /** A fresh entry id. */
  nextEntryId(): string
}

/** A conversation that goes on after `history`, which is copied. */
export function conversation({ history, headEntryId: initial, nextEntryId }: ConversationOptions): Conversation {
  let messages = [...history]
  // the same list, until a message comes that models are not told
  let modelMessages = toldOf(messages)
  let headEntryId = initial
  return {
    get messages() {
      return messages
    },
    get modelMessages() {
      return modelMessages
    },
    get headEntryId() {
      return headEntryId
    },
    nextEntryId,
    append: (entryId, message) => {
      headEntryId = entryId
      if (!isModelMessage(message)) {
        if (modelMessages === messages) modelMessages = [...messages]
      } else if (modelMessages !== messages) modelMessages.push(message)
      messages.push(message)
    },
    moveTo: (entryId, history) => {
      headEntryId = entryId
      messages = [...history]
      modelMessages = toldOf(messages)
    },
  }
}

const modelRoles = new Set<string>(['user', 'assistant', 'toolResult'])

function toldOf(messages: Message[]): Message[] {
  return messages.every(isModelMessage) ? messages : messages.filter(isModelMessage)
}

function isModelMessage(message: Message): boolean {
  return modelRoles.has(message.role)
}
