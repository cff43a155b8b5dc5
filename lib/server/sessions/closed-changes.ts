// Sessions that are open nowhere are changed one change at a time, and nobody opens one in the middle of a change.
import { EMPTY, ReplaySubject, catchError, concat, defer, finalize, ignoreElements, merge } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ClosedChange } from '../../services/contract/server-backend.ts'
import type { CommandNamed } from '../../streams/commands/command.ts'

export interface ClosedChanges {
  /** Carries the change out behind those of this session that came before; runs on when its asker goes. */
  change<Result>(session: string, change: () => Observable<Result>): Observable<Result>
  /** Completes when no change of this session, or of any, is under way. */
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
      const begun$ = concat(endOf(last.get(session) ?? EMPTY), defer(change))
      last.set(session, done$)
      begun$
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
    catchError(() => EMPTY), // why it failed is told to who asked for it
    ignoreElements(),
  )
}

const types: ReadonlySet<string> = new Set<ClosedChange>(['branch_session', 'rename_session', 'set_label', 'undo'])

/** Whether a session that is not open can be changed by it. */
export function isClosedChange(command: { readonly type: string }): command is CommandNamed<ClosedChange> {
  return types.has(command.type)
}

/** Whether it makes a session of its own and leaves the one that it names as it is. */
export function isCopy(command: {
  readonly type: string
  readonly newFile?: unknown
}): command is CommandNamed<'branch_session'> {
  return command.type === 'branch_session' && command.newFile === true
}
