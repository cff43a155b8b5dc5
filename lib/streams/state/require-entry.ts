// Finds an entry of a session by its id, or fails with the command that lists the ids.
import { Failure } from '../values/failure.ts'
import type { SummaryNode } from './fold-settings.ts'
import type { SessionState } from './fold-session.ts'
import type { Entry } from './session-entry.ts'

/** The entry of a message, or a summary. @throws Failure `bad_request` if the session has neither */
export function requireEntry(
  { entries, summaries }: Pick<SessionState, 'entries' | 'summaries'>,
  entryId: string,
): Entry | SummaryNode {
  const found = entries.get(entryId) ?? summaries.get(entryId)
  if (found !== undefined) return found
  throw new Failure('bad_request', `The session has no entry "${entryId}"; rxpi sessions tree (get_tree) lists them`)
}
