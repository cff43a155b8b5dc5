// Signs in with a browser: listens for its answer on this machine, and takes a pasted one.
// Guarantees: an answer counts once, and only with the state of this sign-in.
import {
  NEVER,
  Subject,
  catchError,
  concat,
  concatMap,
  connect,
  defer,
  exhaustMap,
  first,
  map,
  merge,
  of,
  switchMap,
  takeWhile,
  tap,
  throwError,
} from 'rxjs'
import type { Observable } from 'rxjs'
import { listenForCallback } from '../../host/http/loopback-callback.ts'
import { callbackAnswers, readPasted } from '../../host/http/sign-in-answer.ts'
import type { ListenEvent, SignInAnswer } from '../../host/http/sign-in-answer.ts'
import type { AccountGrant } from '../../providers/accounts/account-vendor.ts'
import { grantAccount, openRouterGrant } from '../../providers/accounts/grant-account.ts'
import { beginBrowserGrant, exchangeCode, newState } from '../../providers/accounts/oauth-client.ts'
import type { BrowserGrant } from '../../providers/accounts/oauth-client.ts'
import type { VendorAccess } from '../../providers/accounts/vendor-fetch.ts'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { LoginFlow, LoginUpdate } from './login-flow.ts'

/** @param port replaces the port that the vendor knows */
export function browserLogin(access: VendorAccess, port?: number): LoginFlow {
  const state = newState()
  const pasted$ = new Subject<SignInAnswer>()
  return {
    input: (text) => {
      pasted$.next({ parameters: readPasted(text, state), respond: () => undefined })
    },
    updates$: defer(() => {
      const { redirect, form } = access.vendor.browser ?? { redirect: { host: 'localhost', path: '/' } }
      const path = form === 'openrouter' ? `${redirect.path}/${state}` : redirect.path
      const isOwn = (parameters: URLSearchParams): boolean => form === 'openrouter' || parameters.get('state') === state
      const uriAt = (listening: number): string => `http://${redirect.host}:${listening}${path}`
      const usualPort = port ?? redirect.port ?? 0
      return listenForCallback({ port: usualPort, path }).pipe(
        catchError(() => concat(of({ type: 'taken' as const }), NEVER)),
        connect((events$) =>
          events$.pipe(
            first((event) => event.type !== 'request'),
            concatMap((event) => beginAt(access, { event, state, uriAt, usualPort })),
            switchMap(({ grant, listens }) =>
              concat(
                of<LoginUpdate>({ step: 'open_url', url: grant.url, listens }),
                merge(callbackAnswers(events$, isOwn), pasted$).pipe(
                  exhaustMap((answer) => finishLogin(access, grant, answer)),
                ),
              ),
            ),
          ),
        ),
        takeWhile(({ step }) => step !== 'granted', true),
      )
    }),
  }
}

interface Beginning {
  readonly event: ListenEvent
  readonly state: string
  readonly uriAt: (port: number) => string
  readonly usualPort: number
}

/** Another program may have the port that the vendor knows: then the person pastes the address. */
function beginAt(
  access: VendorAccess,
  { event, state, uriAt, usualPort }: Beginning,
): Observable<{ readonly grant: BrowserGrant; readonly listens: boolean }> {
  const listens = event.type === 'listening'
  const redirectUri = uriAt(listens ? event.port : usualPort)
  return fromAbortable(() => beginBrowserGrant(access, { redirectUri, state })).pipe(
    map((grant) => ({ grant, listens })),
  )
}

function finishLogin(
  access: VendorAccess,
  grant: BrowserGrant,
  { parameters, respond }: SignInAnswer,
): Observable<LoginUpdate> {
  const { title } = access.vendor
  const granted$ = fromAbortable((signal) => buyAccount(access, { grant, parameters, signal })).pipe(
    tap(() => {
      respond({ status: 200, title: 'You are signed in', text: `rxpi has your account of ${title}. Close this page.` })
    }),
    map((account): LoginUpdate => ({ step: 'granted', grant: account })),
    catchError((error: unknown) => {
      const failure = Failure.from(error, 'provider_error')
      respond({ status: 502, title: 'The sign-in failed', text: `${failure.message} Begin again in rxpi.` })
      return throwError(() => failure)
    }),
  )
  return concat(of<LoginUpdate>({ step: 'finishing' }), granted$)
}

interface Purchase {
  readonly grant: BrowserGrant
  readonly parameters: URLSearchParams
  readonly signal: AbortSignal
}

async function buyAccount(access: VendorAccess, { grant, parameters, signal }: Purchase): Promise<AccountGrant> {
  if (access.vendor.browser?.form !== 'openrouter') {
    return grantAccount(access, await exchangeCode(access, parameters, grant, signal), signal)
  }
  const code = parameters.get('code')
  if (code !== null) return openRouterGrant(access, { code, verifier: grant.verifier }, signal)
  throw new Failure('provider_error', `${access.vendor.title} refused the sign-in.`, { data: { kind: 'auth' } })
}
