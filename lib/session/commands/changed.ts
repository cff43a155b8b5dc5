// What a change of a session may look at, and what comes of it.
import type { AgentEvent } from '../../streams/events/event.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import type { SessionCore } from '../runs/session-core.ts'

/** What is to be told of a change, and what its command is answered with then. */
export interface Changed {
  readonly events: readonly AgentEvent[]
  readonly result: object
}

/** What a change may look at. */
export interface Changeable {
  readonly core: SessionCore
  readonly state: SessionState
  readonly isRunning: boolean
  /** Of the command. */
  readonly opId?: string | undefined
}
