// What a session's parts have become once it is open.
import type { Conversation, RunPorts } from '../../operators/ports/run-ports.ts'
import type { Ids } from '../../streams/values/identifiers.ts'
import type { SessionParts } from '../contract/session-parts.ts'
import type { SessionSettings } from './session-settings.ts'
import type { UiRequests } from '../questions/ui-requests.ts'
import type { UserCommands } from './user-commands.ts'
import { conversation } from '../../operators/run/conversation.ts'
import { contextMessages } from '../../streams/state/context-messages.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'

/** What the runs of a session share. */
export interface SessionCore {
  readonly parts: SessionParts
  readonly ids: Ids
  readonly conversation: Conversation
  readonly queues: RunPorts['queues']
  readonly settings: SessionSettings
  readonly userCommands: Pick<UserCommands, 'run' | 'kill' | 'land'>
  readonly requests: Pick<UiRequests, 'ask' | 'asked$' | 'respond'>
}

// A session's conversation starts at its log's head, and no entry id is given twice in it.

/** The conversation that a log's state left, to be continued at its head; its messages are looked for when they are needed. */
export function sessionConversation(initial: SessionState, ids: Ids): Conversation {
  const known = new Set<string>() // given, but perhaps not ended yet
  const isTaken = (id: string): boolean => known.has(id) || initial.entries.has(id) || initial.summaries.has(id)
  return conversation({
    history: () => contextMessages(initial),
    headEntryId: initial.headEntryId,
    nextEntryId: () => {
      let id = ids.short()
      while (isTaken(id)) id = ids.short() // 40 random bits clash once in a session of a million entries
      known.add(id)
      return id
    },
  })
}
