// The conversation of a session goes on from another entry.
import { defer } from 'rxjs'
import type { Observable } from 'rxjs'
import type { CommandNamed } from '../../../lib/streams/commands/command.ts'
import type { Ui } from '../ui.ts'

/** Moves the head, which its events show. */
export function branched(
  ui: Ui,
  command: Omit<CommandNamed<'branch_session'>, 'type' | 'newFile'>,
): Observable<unknown> {
  return defer(() => ui.request({ type: 'branch_session', ...command }))
}
