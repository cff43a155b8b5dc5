// Opens a session, or a copy of one, with the UI's folder and environment.
import type { MonoTypeOperatorFunction, Observable } from 'rxjs'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import type { Ui } from '../contract/ui.ts'
import { leaving, newSessionContext, sessionContext } from '../contract/ui.ts'
import { EMPTY, catchError, concat, ignoreElements, map, mergeMap, of, tap } from 'rxjs'
import { firstScreen } from './first-screen.ts'

/**
 * For `Ui.open`. The first session of this UI gets all options of the command line, `--trust` too: it is the one that
 * the command was called for. Later ones get `--trust` in the folder of the UI; about other folders a question is
 * asked.
 * @param folder of the session. Default: not known
 */
export function openSession(ui: Ui, session: string, folder?: string): Observable<ResultOf<'open_session'>> {
  return openWith(ui, session, folder, leaving(ui))
}

function openWith(
  ui: Ui,
  session: string,
  folder: string | undefined,
  from: ReturnType<typeof leaving>,
): Observable<ResultOf<'open_session'>> {
  const { cwd, options = {} } = ui.surroundings
  const ofFirst = ui.now().session === undefined ? options : {}
  const ofFolder = options.trust === true && folder === cwd ? { trust: true } : {}
  const sent = { type: 'open_session', session, ...ofFirst, ...ofFolder, ...sessionContext(ui), ...from } as const
  return ui.request(sent).pipe(withFirstScreen(ui))
}

/**
 * For `Ui.open`. Opens a stored session again, so that it sees a new answer about trust. One that is at work or in use
 * elsewhere stays as it is, and a note says so.
 */
export function reopenSession(ui: Ui, session: string): Observable<ResultOf<'open_session'>> {
  return concat(closeIdle(ui, session), openSession(ui, session)).pipe(
    mergeMap((opened) => of(opened).pipe(withNote(reopenNote(opened)))),
  )
}

function reopenNote({ notices }: ResultOf<'open_session'>): string {
  return notices.some(({ code }) => code === 'folder_untrusted')
    ? 'The session is in use; the files of the folder count when it is opened again, and in new sessions'
    : 'The files of the folder count in this session'
}

/** Completes when the session is closed, or is at work or in use elsewhere, and stays as it is. */
export function closeIdle({ request }: Pick<Ui, 'request'>, session: string): Observable<never> {
  return request({ type: 'close_session', session }).pipe(
    ignoreElements(),
    catchError(() => EMPTY),
  )
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

/**
 * Copies a session up to an entry and opens the copy; for `Ui.open`. The other session does not change; its extensions are asked about the copy alone.
 * @param entryId null: before the first entry
 */
export function openCopy(ui: Ui, session: string, entryId: string | null): Observable<ResultOf<'open_session'>> {
  return ui
    .request({ type: 'branch_session', session, entryId, newFile: true })
    .pipe(mergeMap(({ session: copy }) => (copy === undefined ? EMPTY : openWith(ui, copy, ui.now().session?.cwd, {}))))
}
