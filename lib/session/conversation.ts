// The transcript as the run grows it, kept incrementally: no turn walks the session again.
import type { Conversation } from '../operators/run-ports.ts'
import { transcript } from '../streams/fold-session.ts'
import type { SessionState } from '../streams/fold-session.ts'
import type { Ids } from '../streams/identifiers.ts'
import type { Message } from '../streams/message.ts'

/** The conversation that a log's state left, to be continued at its head. */
export function conversation(initial: SessionState, ids: Ids): Conversation {
  const messages: Message[] = transcript(initial)
  const known = new Set(initial.entries.keys())
  let headEntryId = initial.headEntryId
  return {
    messages,
    get headEntryId() {
      return headEntryId
    },
    nextEntryId: () => {
      let id = ids.short()
      while (known.has(id)) id = ids.short() // 40 random bits clash once in a session of a million entries
      known.add(id)
      return id
    },
    append: (entryId, message) => {
      headEntryId = entryId
      messages.push(message)
    },
  }
}
