// Finds the last context note of a kind in a conversation that grows.
// Guarantees: each message is looked at once, unless the list is another one or became shorter.
import { contextMessageIn } from './context-message.ts'
import type { ContextMessage } from './context-message.ts'
import type { Message } from './message.ts'

/** Returns a function that finds the last note of the kind; undefined without one. Holds the list that it saw last. */
export function lastNoteOf(kind: string): (messages: readonly Message[]) => ContextMessage | undefined {
  let list: readonly Message[] | undefined
  let count = 0
  let last: ContextMessage | undefined
  return (messages) => {
    if (messages !== list || messages.length < count) {
      list = messages
      count = 0
      last = undefined
    }
    for (; count < messages.length; count++) {
      const message = messages[count]
      const note = message && contextMessageIn(message)
      if (note?.kind === kind) last = note
    }
    return last
  }
}
