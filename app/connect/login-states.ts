// Follows a sign-in that runs on the server, from state to state.
import { EMPTY, distinctUntilChanged, expand, of, takeWhile } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ResultOf } from '../../lib/streams/commands/command.ts'

/** A sign-in as the server shows it. */
export type Login = ResultOf<'auth_login'>['login']

/** The server answers a wait after 25 s. */
export const loginWaitMs = 60_000

/** Emits each state once, the last one too, and completes. */
export function loginStates(first: Login, next$: (known: Login) => Observable<Login>): Observable<Login> {
  return of(first).pipe(
    expand((state) => (isLoginOver(state) ? EMPTY : next$(state))),
    distinctUntilChanged((before, after) => before.revision === after.revision),
    takeWhile((state) => !isLoginOver(state), true),
  )
}

export function isLoginOver({ step }: Login): boolean {
  return step === 'done' || step === 'failed' || step === 'cancelled'
}
