// Knows which notes a conversation holds, and which files its tool calls named.
// Guarantees: each message is looked at once, unless the head moves to another branch.
import { contextMessageIn } from '../../streams/messages/context-message.ts'
import { innerCalls } from '../../streams/messages/inner-call.ts'
import type { Message } from '../../streams/messages/message.ts'
import { contextKey } from '../../streams/state/fold-context.ts'

export interface ConversationReader {
  /** Reads the messages that came since the last call; all of another list. True if it is another one. */
  read(messages: readonly Message[]): boolean
  /** The digest of the last note of this kind and path; undefined without one. */
  digestOf(note: { readonly kind: string; readonly path?: string }): string | undefined
  /** The notes of a kind, by path. */
  pathsOf(kind: string): readonly string[]
  /** The arguments of the tool calls since the last call of this function. */
  takeArguments(): readonly Readonly<Record<string, unknown>>[]
}

export function conversationReader(): ConversationReader {
  let list: readonly Message[] | undefined
  let count = 0
  let digests = new Map<string, string>()
  let waiting: Readonly<Record<string, unknown>>[] = []
  const reset = (messages: readonly Message[]): void => {
    list = messages
    count = 0
    digests = new Map()
    waiting = []
  }
  const readOne = (message: Message): void => {
    if (message.role === 'assistant') {
      for (const call of innerCalls(message.content)) waiting.push(call.arguments)
      return
    }
    const note = contextMessageIn(message)
    if (note !== undefined) digests.set(contextKey(note), note.digest)
  }
  return {
    read: (messages) => {
      const isOther = messages !== list || messages.length < count
      if (isOther) reset(messages)
      for (; count < messages.length; count++) {
        const message = messages[count]
        if (message !== undefined) readOne(message)
      }
      return isOther
    },
    digestOf: (note) => digests.get(contextKey(note)),
    pathsOf: (kind) =>
      [...digests].flatMap(([key, digest]) =>
        key.startsWith(`${kind}:`) && digest !== '' ? key.slice(kind.length + 1) : [],
      ),
    takeArguments: () => {
      const taken = waiting
      waiting = []
      return taken
    },
  }
}
