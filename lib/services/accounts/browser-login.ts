// Signs in with a browser: listens for its answer on this machine, and takes a pasted one.
// Guarantees: an answer counts once, and only with the state of this sign-in.
import { NEVER, Subject, catchError, concat, concatMap, connect, defer, exhaustMap, filter, first, map } from 'rxjs'
import { merge, mergeMap, of, switchMap, takeWhile, tap, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import { listenForCallback } from '../../host/http/loopback-callback.ts'
import type { CallbackEvent, CallbackPage, CallbackRequest } from '../../host/http/loopback-callback.ts'
import type { AccountGrant } from '../../providers/accounts/account-vendor.ts'
import { grantAccount, openRouterGrant } from '../../providers/accounts/grant-account.ts'
import { beginBrowserGrant, exchangeCode, newState } from '../../providers/accounts/oauth-client.ts'
import type { BrowserGrant } from '../../providers/accounts/oauth-client.ts'
import type { VendorAccess } from '../../providers/accounts/vendor-fetch.ts'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { LoginFlow, LoginUpdate } from './login-flow.ts'

interface Answer {
  readonly parameters: URLSearchParams
  readonly respond: CallbackRequest['respond']
}

/** @param port replaces the port that the vendor knows */
export function browserLogin(access: VendorAccess, port?: number): LoginFlow {
  const state = newState()
  const pasted$ = new Subject<Answer>()
  return {
    input: (text) => {
      pasted$.next({ parameters: readPasted(text, state), respond: () => undefined })
    },
    updates$: defer(() => {
      const { redirect, form } = access.vendor.browser ?? { redirect: { host: 'localhost', path: '/' } }
      const path = form === 'openrouter' ? `${redirect.path}/${state}` : redirect.path
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
                merge(callbackAnswers(events$, access, state), pasted$).pipe(
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

type ListenEvent = CallbackEvent | { readonly type: 'taken' }

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

/** Emits the first answer of this sign-in; others get a page that explains why not. */
function callbackAnswers(
  events$: Observable<ListenEvent>,
  { vendor }: VendorAccess,
  state: string,
): Observable<Answer> {
  let isUsed = false
  return events$.pipe(
    filter((event) => event.type === 'request'),
    mergeMap(({ parameters, respond }) => {
      const isOwn = vendor.browser?.form === 'openrouter' || parameters.get('state') === state
      const hasAnswer = parameters.has('code') || parameters.has('error')
      if (isOwn && hasAnswer && !isUsed) {
        isUsed = true
        return of({ parameters, respond })
      }
      respond(isUsed && isOwn ? usedPage : foreignPage)
      return []
    }),
  )
}

function finishLogin(
  access: VendorAccess,
  grant: BrowserGrant,
  { parameters, respond }: Answer,
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

const usedPage: CallbackPage = {
  status: 409,
  title: 'This answer was used',
  text: 'The sign-in takes one answer. Look in rxpi for its outcome.',
}

const foreignPage: CallbackPage = {
  status: 400,
  title: 'Not an answer to this sign-in',
  text: 'This page does not belong to the sign-in that rxpi began. Open the address that rxpi shows.',
}

/**
 * Reads the address to which the browser was sent, `code#state`, a query, or the bare code.
 * @throws Failure `bad_request` for an answer to another sign-in, or none
 */
export function readPasted(text: string, state: string): URLSearchParams {
  const value = text.trim()
  const [code = '', ownState] = value.split('#', 2)
  const query = URL.parse(value)?.searchParams ?? new URLSearchParams(value.includes('code=') ? value : { code })
  const found = query.get('state') ?? (value.includes('code=') ? undefined : ownState) ?? state
  if (!query.get('code')) {
    throw new Failure(
      'bad_request',
      'This is no answer of a sign-in: paste the whole address of the last page, or its code.',
    )
  }
  if (found === state) return new URLSearchParams([...query, ...(query.has('state') ? [] : [['state', state]])])
  throw new Failure('bad_request', 'This is the answer to another sign-in: open the address that rxpi shows now.')
}
