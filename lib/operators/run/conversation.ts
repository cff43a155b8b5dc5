// Holds the transcript of a session and appends to it: no turn walks the session again.
import { customInput } from '../../streams/messages/context-message.ts'
import type { Message } from '../../streams/messages/message.ts'
import type { Conversation } from '../ports/run-ports.ts'

export interface ConversationOptions {
  /** The messages so far, oldest first; a function is called at the first read. */
  readonly history: readonly Message[] | (() => readonly Message[])
  readonly headEntryId: string | null
  /** A fresh entry id. */
  nextEntryId(): string
}

/** A conversation that continues `history`, which is copied. */
export function createConversation({ history, headEntryId: initial, nextEntryId }: ConversationOptions): Conversation {
  let lists = createMessageLists(history)
  let headEntryId = initial
  return {
    get messages() {
      return lists.messages()
    },
    get modelMessages() {
      return lists.modelMessages()
    },
    get headEntryId() {
      return headEntryId
    },
    nextEntryId,
    append: (entryId, message) => {
      headEntryId = entryId
      lists.push(message)
    },
    moveTo: (entryId, next) => {
      headEntryId = entryId
      lists = createMessageLists(next)
    },
  }
}

interface MessageLists {
  messages(): Message[]
  modelMessages(): Message[]
  push(message: Message): void
}

/** Messages that are added before the first read wait, so that a lazy history stays unread. */
function createMessageLists(history: ConversationOptions['history']): MessageLists {
  let added: Message[] = []
  let messages: Message[] | undefined
  // the same list, until a message comes that is not for models
  let modelMessages: Message[] = []
  const all = (): Message[] => {
    if (messages !== undefined) return messages
    messages = [...(typeof history === 'function' ? history() : history), ...added]
    modelMessages = forModels(messages)
    added = []
    return messages
  }
  if (typeof history !== 'function') all()
  return {
    messages: all,
    modelMessages: () => {
      all()
      return modelMessages
    },
    push: (message) => {
      if (messages === undefined) {
        added.push(message)
        return
      }
      const forModel = modelMessage(message)
      if (forModel !== message && modelMessages === messages) modelMessages = [...messages]
      if (forModel !== undefined && modelMessages !== messages) modelMessages.push(forModel)
      messages.push(message)
    },
  }
}

const modelRoles = new Set<string>(['user', 'assistant', 'toolResult'])

function forModels(messages: Message[]): Message[] {
  const isForModels = messages.every(({ role }) => modelRoles.has(role))
  return isForModels ? messages : messages.flatMap((message) => modelMessage(message) ?? [])
}

/** The message itself, its form for models, or undefined. */
export function modelMessage(message: Message): Message | undefined {
  return modelRoles.has(message.role) ? message : customInput(message)
}
