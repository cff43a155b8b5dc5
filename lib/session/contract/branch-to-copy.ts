// A branch that is to become a session of its own, and that session.
import type { SessionState } from '../../streams/state/fold-session.ts'
import type { Ids } from '../../streams/values/identifiers.ts'
import type { SessionLog, SessionStore } from '../../streams/ports/session-log.ts'

export interface BranchToCopy {
  readonly log: Pick<SessionLog, 'header' | 'records'>
  /** What the log folds to. */
  readonly state: SessionState
  /** Where the branch ends; null is refused. */
  readonly entryId: string | null
  /** Where the copy is made. */
  readonly store: Pick<SessionStore, 'create' | 'open' | 'madeBy'>
  /** Of the command that asks for it: given again, it is answered with the session that it made then. */
  readonly opId?: string | undefined
  readonly ids: Ids
  /** Unix ms. */
  readonly now: number
}

export interface CopiedBranch {
  readonly session: string
  readonly headEntryId: string
}
