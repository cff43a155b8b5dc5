// Opens a session, or a copy of one, with the UI's folder and environment.
import type { MonoTypeOperatorFunction, Observable } from 'rxjs'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import type { Ui } from '../contract/ui.ts'
import { newSessionContext, sessionContext } from '../contract/ui.ts'
import { EMPTY, concat, ignoreElements, map, mergeMap, of, tap } from 'rxjs'
import { firstScreen } from './first-screen.ts'

/** For `Ui.open`. The first session of this UI gets all options of the command line, but trust is for its folder only. */
export function openSession(ui: Ui, session: string): Observable<ResultOf<'open_session'>> {
  const { trust: _trust, ...options } = ui.surroundings.options ?? {}
  const ofFirst = ui.now().session === undefined ? options : {}
  return ui.request({ type: 'open_session', session, ...ofFirst, ...sessionContext(ui) }).pipe(withFirstScreen(ui))
}

/** For `Ui.open`. */
export function openNew(ui: Ui): Observable<ResultOf<'open_session'>> {
  return ui.request({ type: 'new_session', ...newSessionContext(ui) }).pipe(withFirstScreen(ui))
}

/** Shows the first screen above the first session of this UI. */
function withFirstScreen(ui: Ui): MonoTypeOperatorFunction<ResultOf<'open_session'>> {
  return mergeMap((opened) => {
    if (ui.now().session !== undefined) return of(opened)
    const shown$ = firstScreen(ui, opened, ui.surroundings.env, ui.surroundings.options).pipe(
      tap(ui.input),
      ignoreElements(),
    )
    return concat(shown$, of(opened))
  })
}

/** Adds a notice, shown when the session is opened. */
export function withNote(note: string): MonoTypeOperatorFunction<ResultOf<'open_session'>> {
  return map((opened) => ({ ...opened, notices: [...opened.notices, { code: 'opened', message: note }] }))
}

// Copies a session up to an entry and opens the copy.

/**
 * For `Ui.open`. The other session does not change.
 * @param entryId null: before the first entry
 */
export function openCopy(ui: Ui, session: string, entryId: string | null): Observable<ResultOf<'open_session'>> {
  return ui
    .request({ type: 'branch_session', session, entryId, newFile: true })
    .pipe(mergeMap(({ session: copy }) => (copy === undefined ? EMPTY : openSession(ui, copy))))
}
