// Serialises changes of sessions that are not open; opening a session waits for its changes.
import { EMPTY, ReplaySubject, catchError, concat, defer, finalize, ignoreElements, merge } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ClosedChange } from '../../services/contract/server-backend.ts'
import type { CommandNamed } from '../../streams/commands/command.ts'

export interface ClosedChanges {
  /** Runs the change after the earlier ones of this session; goes on if the caller unsubscribes. */
  change<Result>(session: string, change: () => Observable<Result>): Observable<Result>
  /** Completes when no change of this session, or (default) of any session, is running. */
  settled(session?: string): Observable<never>
}

export function closedChanges(): ClosedChanges {
  const last = new Map<string, Observable<unknown>>()
  const settled$ = (session?: string): Observable<never> =>
    defer(() => {
      const waiting = session === undefined ? [...last.values()] : [last.get(session) ?? EMPTY]
      return merge(...waiting.map(endOf))
    })
  return {
    settled: settled$,
    change: <Result>(session: string, change: () => Observable<Result>) => {
      const done$ = new ReplaySubject<Result>(1)
      const change$ = concat(endOf(last.get(session) ?? EMPTY), defer(change))
      last.set(session, done$)
      change$
        .pipe(
          finalize(() => {
            if (last.get(session) === done$) last.delete(session)
          }),
        )
        .subscribe(done$)
      return done$.asObservable()
    },
  }
}

function endOf(done$: Observable<unknown>): Observable<never> {
  return done$.pipe(
    catchError(() => EMPTY), // the caller of that change got the failure
    ignoreElements(),
  )
}

const types: ReadonlySet<string> = new Set<ClosedChange>(['branch_session', 'rename_session', 'set_label', 'undo'])

/** Whether the command can change a session that is not open. */
export function isClosedChange(command: { readonly type: string }): command is CommandNamed<ClosedChange> {
  return types.has(command.type)
}

/** Whether the command creates a session and leaves the named one as it is. */
export function isCopy(command: {
  readonly type: string
  readonly newFile?: unknown
}): command is CommandNamed<'branch_session'> {
  return command.type === 'branch_session' && command.newFile === true
}
