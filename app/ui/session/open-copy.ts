// A session of its own is made of what another one has up to an entry, and opened.
import { EMPTY, mergeMap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import type { Ui } from '../ui.ts'
import { openSession } from './open-session.ts'

/** For `Ui.open`. The other session stays as it is. @param entryId null: before the first */
export function openCopy(ui: Ui, session: string, entryId: string | null): Observable<ResultOf<'open_session'>> {
  return ui
    .request({ type: 'branch_session', session, entryId, newFile: true })
    .pipe(mergeMap(({ session: copy }) => (copy === undefined ? EMPTY : openSession(ui, copy))))
}
