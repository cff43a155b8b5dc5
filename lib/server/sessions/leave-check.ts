// Calls the hooks of an open session before a client leaves it, or copies a branch of it.
import { EMPTY, catchError, concat, defer, mergeMap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { LeaveStep } from '../../streams/ports/hooks.ts'
import type { ServedSession } from '../feed/served-session.ts'

/**
 * Acts when the hooks of the session let it happen, in the call itself if it is not open; fails as `Session.checkLeave` does.
 * @param from the session that is left; undefined calls no hook
 */
export function runAfterLeaveCheck<Value>(
  open: ReadonlyMap<string, Observable<Pick<ServedSession, 'session'>>>,
  from: string | undefined,
  step: LeaveStep,
  act: () => Observable<Value>,
): Observable<Value> {
  const served$ = from === undefined ? undefined : open.get(from)
  if (served$ === undefined) return act()
  const open$ = served$.pipe(catchError(() => EMPTY)) // it could not be opened: it has no hooks
  return concat(open$.pipe(mergeMap(({ session }) => session.checkLeave?.(step) ?? EMPTY)), defer(act))
}
