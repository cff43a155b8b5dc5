// Shows a sign-in on the terminal: the page to open, the code to type, the answer to paste.
import {
  EMPTY,
  connect,
  defer,
  finalize,
  ignoreElements,
  last,
  map,
  merge,
  mergeMap,
  of,
  retry,
  takeUntil,
  tap,
} from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure } from '../../lib/streams/values/failure.ts'
import type { AuthLoginInvocation, AuthLogoutInvocation } from '../cli/auth-arguments.ts'
import { isLoginOver, loginStates, loginWaitMs } from '../connect/login-states.ts'
import type { Login } from '../connect/login-states.ts'
import { report } from '../process/progress.ts'
import { readSecret } from '../process/read-secret.ts'
import type { World } from '../process/world.ts'

export interface AccountActionOptions {
  readonly context: { readonly cwd: string; readonly env: Record<string, string> }
  readonly print: (result: object, text: string) => void
}

/** Signs in or out; emits the exit code. */
export function accountAction(
  invocation: AuthLoginInvocation | AuthLogoutInvocation,
  world: Pick<World, 'client' | 'stdin' | 'stderr'>,
  { context, print }: AccountActionOptions,
): Observable<number> {
  const { provider } = invocation
  if (invocation.action === 'login') {
    return login(invocation, world, context).pipe(
      map((state) => {
        print({ login: state }, loginText(state))
        return state.step === 'done' ? 0 : 3
      }),
    )
  }
  return world.client.request({ type: 'auth_logout', provider }).pipe(
    map((result) => {
      const then = 'docs/accounts.md says how to end it at the vendor'
      print(result, `Removed the account of ${provider} from this machine; ${then}\n`)
      return 0
    }),
  )
}

function login(
  { provider, method, domain }: AuthLoginInvocation,
  world: Pick<World, 'client' | 'stdin' | 'stderr'>,
  context: AccountActionOptions['context'],
): Observable<Login> {
  const options = { ...(method === undefined ? {} : { method }), ...(domain === undefined ? {} : { domain }) }
  return followLogin(world.client.request({ type: 'auth_login', ...context, provider, ...options }), world)
}

/**
 * Shows the steps of a sign-in and takes a pasted answer; emits its last state. Unsubscribing cancels the sign-in.
 * @param begun$ the response to the command that begins it
 */
export function followLogin(
  begun$: Observable<{ readonly login: Login }>,
  world: Pick<World, 'client' | 'stdin' | 'stderr'>,
): Observable<Login> {
  const { client } = world
  return begun$.pipe(
    mergeMap(({ login: first }) => {
      let latest = first
      const { loginId } = first
      const next$ = ({ revision }: Login): Observable<Login> =>
        client
          .request({ type: 'auth_login_wait', loginId, revision }, { timeoutMs: loginWaitMs })
          .pipe(map(({ login: next }) => next))
      return loginStates(first, next$).pipe(
        tap((state) => {
          latest = state
          for (const line of linesOf(state)) report(world.stderr, line)
        }),
        connect((states$) =>
          merge(states$, pasteAnswers(first, world).pipe(takeUntil(states$.pipe(last(null, first))))),
        ),
        last(null, first),
        finalize(() => {
          if (!isLoginOver(latest)) cancelLogin(client, loginId)
        }),
      )
    }),
  )
}

/** Reads the answer of a browser on another machine, without echo: it buys tokens. Emits nothing. */
function pasteAnswers(
  { loginId, method }: Login,
  { client, stdin, stderr }: Pick<World, 'client' | 'stdin' | 'stderr'>,
): Observable<never> {
  const { terminal } = stdin
  if (terminal === undefined || method !== 'browser') return EMPTY
  const question = 'If the browser is on another machine, paste the address of its last page here (input is hidden): '
  return defer(() => readSecret(question, terminal, stderr)).pipe(
    mergeMap((text) => client.request({ type: 'auth_login_input', loginId, text })),
    retry({
      delay: (error: unknown) => {
        const failure = Failure.from(error)
        if (failure.code !== 'bad_request') throw failure
        report(stderr, failure.message)
        return of(true)
      },
    }),
    ignoreElements(),
  )
}

/** The answer has no receiver: the command is over. */
function cancelLogin(client: World['client'], loginId: string): void {
  client.request({ type: 'auth_login_cancel', loginId }).subscribe({ error: () => undefined })
}

function linesOf({ step, title, terms, url = '', userCode = '', listens, expiresAt }: Login): readonly string[] {
  const warning = terms === undefined ? [] : [terms]
  const minutes =
    expiresAt === undefined ? '' : ` within ${Math.max(1, Math.round((expiresAt - Date.now()) / 60_000))} min`
  switch (step) {
    case 'open_url': {
      const taken = 'Another program has the port of the answer: the last page will not load; paste its address here.'
      return [
        ...warning,
        `Open this address${minutes} to sign in to ${title}:`,
        url,
        ...(listens === false ? [taken] : []),
      ]
    }
    case 'device_code':
      return [...warning, `Open ${url}${minutes} and type the code ${userCode}`]
    case 'finishing':
      return ['The vendor agreed; getting the tokens']
    default:
      return []
  }
}

/** The outcome, for people. */
/** The outcome in words. */
export function loginText({ step, title, account, failure, defaultModel, notices = [] }: Login): string {
  if (step === 'cancelled') return 'The sign-in was cancelled; nothing was stored\n'
  if (step !== 'done' || account === undefined) return `The sign-in failed: ${failure?.message ?? step}\n`
  const next = defaultModel === undefined ? '' : `To use it: rxpi --model ${defaultModel} -p "…"\n`
  const warnings = notices.map(({ message }) => `${message}\n`).join('')
  return `Signed in to ${title}: ${describeAccount(account)}\n${warnings}${next}`
}

/** Name, plan and expiry, as far as the vendor reports them. */
export function describeAccount({ name, plan, expiresAt, isSignedOut }: NonNullable<Login['account']>): string {
  const expiry = expiresAt === undefined ? undefined : `token until ${new Date(expiresAt).toISOString().slice(0, 16)}Z`
  const parts = ['account', name, plan, isSignedOut === true ? 'signed out by the vendor' : expiry]
  return parts.filter((part) => part !== undefined).join(' ')
}
