// A session that is there is opened from the UI's own folder and environment.
import type { Observable } from 'rxjs'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import type { Ui } from '../ui.ts'
import { placeOf } from './place-of.ts'

/** For `Ui.open`. */
export function openSession(ui: Ui, session: string): Observable<ResultOf<'open_session'>> {
  return ui.request({ type: 'open_session', session, ...placeOf(ui) })
}
