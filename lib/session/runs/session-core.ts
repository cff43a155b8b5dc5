// What a session's parts have become once it is open.
import type { Conversation, RunPorts } from '../../operators/ports/run-ports.ts'
import type { Ids } from '../../streams/values/identifiers.ts'
import type { SessionParts } from '../contract/session-parts.ts'
import type { SessionSettings } from './session-settings.ts'
import type { UiRequests } from '../questions/ui-requests.ts'
import type { UserCommands } from './user-commands.ts'

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
