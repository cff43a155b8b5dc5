// Signs in to a provider for an editor: the vendor's page opens there by an elicitation.
import type { AuthMethod, JsonRpcId } from '@agentclientprotocol/sdk'
import { EMPTY, catchError, defer, finalize, map, merge, mergeMap, of, take } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ReconnectingClient } from '../../../lib/server/client/reconnecting-client.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { isLoginOver, loginStates, loginWaitMs } from '../../connect/login-states.ts'
import type { Login } from '../../connect/login-states.ts'
import { requestErrorOf } from '../wire/acp-error.ts'
import type { Peer } from '../wire/peer.ts'

export interface SignInOptions {
  readonly client: Pick<ReconnectingClient, 'request'>
  readonly env: Readonly<Record<string, string>>
  readonly peer: Pick<Peer, 'ask'>
  /** The request of the editor that the pages belong to. */
  readonly requestId: JsonRpcId
}

/** An editor's abilities for a sign-in. */
export interface SignInFeatures {
  /** Opens pages. */
  readonly pages: boolean
  /** Runs the agent's command in a terminal. */
  readonly terminal: boolean
}

const checkId = 'check'
const loginId = 'login:'

/** A method for each vendor that the editor can show, and one that looks again after a sign-in elsewhere. */
export function signInMethods(
  client: Pick<ReconnectingClient, 'request'>,
  { pages, terminal }: SignInFeatures,
): Observable<AuthMethod[]> {
  const check: AuthMethod = {
    id: checkId,
    name: 'Signed in with rxpi',
    description: 'Run `rxpi auth login PROVIDER` or `rxpi auth set PROVIDER` in a terminal first.',
  }
  return client.request({ type: 'auth_accounts' }).pipe(
    map(({ vendors }) => [
      ...vendors.flatMap(({ provider, title }): AuthMethod[] => [
        ...(pages ? [{ id: `${loginId}${provider}`, name: title, description: `Opens the page of ${title}.` }] : []),
        ...(terminal
          ? [
              {
                type: 'terminal' as const,
                id: `terminal:${provider}`,
                name: `${title}, in a terminal`,
                args: ['login', provider],
              },
            ]
          : []),
      ]),
      check,
    ]),
    catchError(() => of([check])), // the methods are advice
  )
}

/** Emits once when there is an account, or a usable model for the method that only looks. */
export function signIn(methodId: string, options: SignInOptions): Observable<object> {
  if (methodId === checkId) return checkModels(options)
  if (methodId.startsWith(loginId)) return followLogin(methodId.slice(loginId.length), options)
  throw new Failure('bad_request', `There is no sign-in ${JSON.stringify(methodId.slice(0, 80))} for authenticate`)
}

function checkModels({ client, env }: SignInOptions): Observable<object> {
  return client.request({ type: 'list_models', cwd: '/', env: { ...env }, usable: true, limit: 1 }).pipe(
    map(({ total }) => {
      if (total > 0) return {}
      throw new Failure('no_model', 'No model can be used yet: run rxpi auth login PROVIDER in a terminal')
    }),
  )
}

function followLogin(provider: string, { client, env, peer, requestId }: SignInOptions): Observable<object> {
  return client.request({ type: 'auth_login', cwd: '/', env: { ...env }, provider }).pipe(
    mergeMap(({ login: first }) => {
      let latest = first
      const next$ = ({ revision }: Login): Observable<Login> =>
        client
          .request({ type: 'auth_login_wait', loginId: first.loginId, revision }, { timeoutMs: loginWaitMs })
          .pipe(map(({ login }) => login))
      const states$ = loginStates(first, next$).pipe(map((state) => (latest = state)))
      return states$.pipe(
        mergeMap((state) => merge(isLoginOver(state) ? of(endOf(state)) : EMPTY, pageOf(state, peer, requestId))),
        take(1),
        finalize(() => {
          if (!isLoginOver(latest)) cancelLogin(client, first.loginId)
        }),
      )
    }),
  )
}

function cancelLogin(client: SignInOptions['client'], login: string): void {
  client
    .request({ type: 'auth_login_cancel', loginId: login })
    .pipe(catchError(() => EMPTY)) // it is over
    .subscribe()
}

/** @throws Failure of a sign-in that failed */
function endOf({ step, failure, title }: Login): object {
  if (step === 'done') return {}
  throw requestErrorOf(new Failure('no_model', failure?.message ?? `The sign-in to ${title} was cancelled`))
}

/** Shows a page once for each step. Emits nothing; fails with `cancelled` if the person declines. */
function pageOf(
  { step, url, userCode, title, loginId: id }: Login,
  peer: SignInOptions['peer'],
  requestId: JsonRpcId,
): Observable<never> {
  if (url === undefined || (step !== 'open_url' && step !== 'device_code')) return EMPTY
  const code = userCode === undefined ? '' : ` Enter the code ${userCode} there.`
  const message = `Sign in to ${title} on its page.${code}`
  return defer(() =>
    peer.ask('elicitation/create', { mode: 'url', requestId, elicitationId: `${id}-${step}`, url, message }),
  ).pipe(
    mergeMap(({ action }) => {
      if (action === 'accept') return EMPTY
      throw new Failure('cancelled', `The sign-in to ${title} was cancelled`)
    }),
  )
}
