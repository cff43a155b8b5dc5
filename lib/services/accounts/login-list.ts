// Runs sign-ins on the server and shows each as a state with a revision, to any client that asks.
// Guarantees: a sign-in goes on when a client leaves; it ends with success, failure, cancellation or its time.
import {
  BehaviorSubject,
  EMPTY,
  asyncScheduler,
  concatMap,
  defer,
  first,
  map,
  merge,
  of,
  takeWhile,
  throwError,
  timeout,
  timer,
} from 'rxjs'
import type { Observable, Subscription } from 'rxjs'
import type { AccountGrant } from '../../providers/accounts/account-vendor.ts'
import type { AccountWasStored } from '../../streams/accounts/account-storage.ts'
import type { LoginState } from '../../streams/commands/account-commands.ts'
import { Failure } from '../../streams/values/failure.ts'
import { randomIds } from '../../streams/values/identifiers.ts'
import type { LoginFlow, LoginUpdate } from './login-flow.ts'

/** Parts of a new sign-in. */
export interface LoginStart {
  /** Equal for sign-ins that stand for one another. */
  readonly key: string
  readonly facts: Pick<LoginState, 'provider' | 'title' | 'method' | 'terms'>
  readonly flow: () => LoginFlow
  /** Stores the account; emits once. */
  readonly store: (grant: AccountGrant) => Observable<Pick<LoginState, 'account' | 'defaultModel' | 'notices'>>
}

export interface LoginList {
  /** Emits the state of a new sign-in, or of the one with this key that is not over. */
  start(login: LoginStart): Observable<LoginState>
  /** Emits the state once its revision is another one, the sign-in is over, or after 25 s. */
  wait(loginId: string, revision: number): Observable<LoginState>
  input(loginId: string, text: string): Observable<LoginState>
  cancel(loginId: string): Observable<LoginState>
  /** Cancels every sign-in that is not over. */
  close(): void
}

interface Login {
  readonly key: string
  readonly state$: BehaviorSubject<LoginState>
  readonly flow: LoginFlow
  subscription?: Subscription
}

const browserMs = 10 * 60_000
const waitMs = 25_000
/** Sign-ins that run at a time, and those that are remembered. */
const maxRunning = 8
const maxKnown = 32

export function createLoginList(): LoginList {
  const ids = randomIds()
  const logins = new Map<string, Login>()
  const found = (loginId: string): Login => {
    const login = logins.get(loginId)
    if (login !== undefined) return login
    throw new Failure('bad_request', `There is no sign-in ${loginId} on this server; begin another with auth_login.`)
  }
  return {
    start: ({ key, facts, flow, store }) =>
      defer(() => {
        const all = [...logins.values()]
        const running = all.filter(({ state$ }) => !isOver(state$.value))
        const same = running.find((login) => login.key === key)
        if (same !== undefined) return of(same.state$.value)
        if (running.length >= maxRunning)
          throw new Failure('busy', `${maxRunning} sign-ins are under way; cancel one, or finish it.`)
        const over = all.filter(({ state$ }) => isOver(state$.value)) // a running one can still be cancelled
        for (const { state$ } of over.slice(0, Math.max(0, all.length - maxKnown + 1)))
          logins.delete(state$.value.loginId)
        const login = beginLogin(ids.short(), { key, facts, flow, store })
        logins.set(login.state$.value.loginId, login)
        return of(login.state$.value)
      }),
    wait: (loginId, revision) =>
      defer(() => {
        const { state$ } = found(loginId)
        return state$.pipe(
          first((state) => state.revision !== revision || isOver(state)),
          timeout({ first: waitMs, with: () => of(state$.value) }),
        )
      }),
    input: (loginId, text) =>
      defer(() => {
        const { state$, flow } = found(loginId)
        if (isOver(state$.value)) throw new Failure('bad_request', 'This sign-in is over; begin another.')
        flow.input(text)
        return of(state$.value)
      }),
    cancel: (loginId) =>
      defer(() => {
        const login = found(loginId)
        cancelLogin(login)
        return of(login.state$.value)
      }),
    close: () => {
      for (const login of logins.values()) cancelLogin(login)
    },
  }
}

/** Says that tokens are not where they should be. */
export function keychainNotice({ keychainProblem }: AccountWasStored): NonNullable<LoginState['notices']> {
  if (keychainProblem === undefined) return []
  return [{ code: 'keychain_unavailable', message: `${keychainProblem}. The tokens are in a private file instead.` }]
}

function isOver({ step }: LoginState): boolean {
  return step === 'done' || step === 'failed' || step === 'cancelled'
}

function cancelLogin({ state$, subscription }: Login): void {
  if (isOver(state$.value)) return
  subscription?.unsubscribe()
  show(state$, { step: 'cancelled' })
}

function beginLogin(loginId: string, { key, facts, flow: createFlow, store }: LoginStart): Login {
  const flow = createFlow()
  const state$ = new BehaviorSubject<LoginState>({ loginId, ...facts, revision: 0, step: 'starting' })
  const login: Login = { key, state$, flow }
  // a code has a time of its own
  const limit$ = facts.method === 'browser' ? timer(browserMs).pipe(concatMap(() => lateFailure(facts))) : EMPTY
  login.subscription = merge(flow.updates$.pipe(concatMap((update) => stepOf(update, facts, store))), limit$)
    .pipe(takeWhile(({ step }) => step !== 'done', true))
    .subscribe({
      next: (step) => {
        show(state$, step)
      },
      error: (error: unknown) => {
        const { code, message } = Failure.from(error, 'provider_error')
        show(state$, { step: 'failed', failure: { code, message } })
      },
    })
  return login
}

type Step = Omit<LoginState, 'loginId' | 'provider' | 'title' | 'method' | 'terms' | 'revision'>

function show(state$: BehaviorSubject<LoginState>, step: Step): void {
  const { loginId, provider, title, method, terms, revision } = state$.value
  const known = { loginId, provider, title, method, ...(terms === undefined ? {} : { terms }) }
  state$.next({ ...known, revision: revision + 1, ...step })
}

function stepOf(update: LoginUpdate, { method }: LoginStart['facts'], store: LoginStart['store']): Observable<Step> {
  switch (update.step) {
    case 'granted':
      return store(update.grant).pipe(map((stored): Step => ({ step: 'done', ...stored })))
    case 'open_url':
      return of({ ...update, ...(method === 'browser' ? { expiresAt: asyncScheduler.now() + browserMs } : {}) })
    default:
      return of(update)
  }
}

function lateFailure({ title }: LoginStart['facts']): Observable<never> {
  const message = `The browser did not finish the sign-in of ${title} within ${browserMs / 60_000} minutes; begin another.`
  return throwError(() => new Failure('provider_error', message, { data: { kind: 'auth' } }))
}
