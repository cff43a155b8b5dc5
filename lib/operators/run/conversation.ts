// The transcript as the run grows it, kept incrementally: no turn walks the session again.
import { bashExecutionInput } from '../../streams/messages/bash-execution.ts'
import type { Message } from '../../streams/messages/message.ts'
import type { Conversation } from '../ports/run-ports.ts'

export interface ConversationOptions {
  /** What the model is told of, oldest first; a function is asked when somebody looks. */
  readonly history: readonly Message[] | (() => readonly Message[])
  readonly headEntryId: string | null
  /** A fresh entry id. */
  nextEntryId(): string
}

/** A conversation that goes on after `history`, which is copied. */
export function conversation({ history, headEntryId: initial, nextEntryId }: ConversationOptions): Conversation {
  let lists = grown(history)
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
      lists = grown(next)
    },
  }
}

interface GrowingLists {
  messages(): Message[]
  modelMessages(): Message[]
  push(message: Message): void
}

/** What is added before somebody looks waits behind the history. */
function grown(history: ConversationOptions['history']): GrowingLists {
  let added: Message[] = []
  let messages: Message[] | undefined
  // the same list, until a message comes that models are not told
  let modelMessages: Message[] = []
  const all = (): Message[] => {
    if (messages !== undefined) return messages
    messages = [...(typeof history === 'function' ? history() : history), ...added]
    modelMessages = toldOf(messages)
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
      const told = modelMessage(message)
      if (told !== message && modelMessages === messages) modelMessages = [...messages]
      if (told !== undefined && modelMessages !== messages) modelMessages.push(told)
      messages.push(message)
    },
  }
}

const modelRoles = new Set<string>(['user', 'assistant', 'toolResult'])

function toldOf(messages: Message[]): Message[] {
  const isTold = messages.every(({ role }) => modelRoles.has(role))
  return isTold ? messages : messages.flatMap((message) => modelMessage(message) ?? [])
}

/** The message itself, what stands for it, or nothing. */
function modelMessage(message: Message): Message | undefined {
  return modelRoles.has(message.role) ? message : bashExecutionInput(message)
}
