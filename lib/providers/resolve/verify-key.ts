// Verifies a key with one free GET request; `unknown` if the endpoint does not check keys.
import { catchError, concatMap, defer, map, of, switchMap, throwError, timeout } from 'rxjs'
import type { Observable } from 'rxjs'
import { httpFetch } from '../../host/http/http-fetch.ts'
import type { ResultOf } from '../../streams/commands/command.ts'
import type { StoredAccount } from '../../streams/accounts/account-storage.ts'
import { Failure } from '../../streams/values/failure.ts'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import type { Api } from '../adapter/merge-compat.ts'
import { credential, missingKey } from '../keys/credential.ts'
import type { ProviderKey } from '../keys/provider-key.ts'
import { endpointNamed } from '../endpoints/endpoint.ts'
import type { Endpoint, EndpointSources } from '../endpoints/endpoint.ts'
import { accountAddress, plainAccountHeaders } from '../endpoints/account-headers.ts'
import { guardedFetch } from '../http/guarded-fetch.ts'
import type { Fetch } from '../http/guarded-fetch.ts'
import { thrownFailure } from '../http/provider-failure.ts'
import { sendableKey } from '../http/request-secrets.ts'

export type KeyVerdict = ResultOf<'auth_verify'>

export interface VerifyKeyOptions extends EndpointSources {
  readonly provider: string
  /** The key, `$VARIABLE` or `!command`. @default the key of requests */
  readonly key?: string
  /** @default `httpFetch` */
  readonly fetch?: Fetch
}

const patienceMs = 15_000

/**
 * Emits once and completes. Emits `unknown` if the endpoint answers without a key too, or has no such page. Fails with
 * a Failure if the provider is unknown, or if there is no key.
 */
export function verifyKey(options: VerifyKeyOptions): Observable<KeyVerdict> {
  return defer(() => {
    const { provider, fetch = httpFetch } = options
    const endpoint = endpointNamed(provider, options)
    if (endpoint === undefined) throw new Failure('bad_request', `There is no provider "${provider}" with an address.`)
    const { value$, account } = keyToVerify(endpoint, options)
    return value$.pipe(
      map(sendableKey),
      switchMap((key) => checkBoth(account === undefined ? endpoint : withAccount(endpoint, account), key, fetch)),
      catchError((error: unknown) => of(verdictOf(Failure.from(error, 'provider_error'), provider))),
    )
  })
}

function keyToVerify({ keys }: Endpoint, options: VerifyKeyOptions): Pick<ProviderKey, 'value$' | 'account'> {
  const { provider, key: spec, env, memory, cwd: workspace } = options
  if (spec !== undefined)
    return { value$: credential({ spec, env, provider, memory, workspace, called: 'The command' }) }
  const [first] = keys()
  if (first === undefined) throw missingKey(provider, undefined)
  return first
}

/** The endpoint as the requests of an account use it: its address, its headers, and the token as `Bearer` alone. */
function withAccount(endpoint: Endpoint, account: StoredAccount): CheckedEndpoint {
  return {
    ...endpoint,
    baseUrl: accountAddress(endpoint, account),
    headers: { ...plainAccountHeaders(endpoint.preset?.account ?? {}, account), ...endpoint.headers },
    onlyBearer: true,
  }
}

interface CheckedEndpoint extends Endpoint {
  /** @default false */
  readonly onlyBearer?: boolean
}

/** If the endpoint answers without a key, it did not check the key. */
function checkBoth(endpoint: CheckedEndpoint, key: string, fetch: Fetch): Observable<KeyVerdict> {
  const { provider } = endpoint
  const withoutKey$ = fetchModels(endpoint, undefined, fetch).pipe(
    map((): KeyVerdict => ({ outcome: 'unknown', message: `${provider} answers without a key, too.` })),
    catchError((error: unknown) => {
      const { kind } = Failure.from(error).data
      if (kind !== 'auth' && kind !== 'bad_request') throw error
      return of<KeyVerdict>({ outcome: 'valid', message: `${provider} accepts the key.` })
    }),
  )
  return fetchModels(endpoint, key, fetch).pipe(concatMap(() => withoutKey$))
}

/** Emits once if the endpoint accepts the request. */
function fetchModels(endpoint: CheckedEndpoint, key: string | undefined, fetch: Fetch): Observable<true> {
  const { provider, headers } = endpoint
  const request = guardedFetch(provider, fetch)
  return fromAbortable(async (signal) => {
    const own = key === undefined ? {} : authorization(endpoint, key)
    const response = await request(modelsUrl(endpoint), { headers: { ...headers, ...own }, signal })
    await response.body?.cancel()
    return true as const
  }).pipe(
    timeout({ first: patienceMs, with: () => throwError(() => new TypeError(`no answer in ${patienceMs / 1_000} s`)) }),
    catchError((error: unknown) =>
      throwError(() => thrownFailure(error, { provider, secrets: key === undefined ? [] : [key] })),
    ),
  )
}

const versions: Readonly<Partial<Record<Api, string>>> = {
  'anthropic-messages': '/v1',
  'google-generative-ai': '/v1beta',
  'google-vertex': '/v1beta1',
  'mistral-conversations': '/v1',
}

/** The path of the model list, or that of the preset. */
function modelsUrl(endpoint: Endpoint): URL {
  const { api, baseUrl, preset } = endpoint
  const url = new URL(baseUrl)
  const path = url.pathname.replace(/\/+$/, '')
  const version = /\/v\d[a-z0-9]*$/.test(path) ? '' : (versions[api] ?? '')
  const azure = isAzure(endpoint) && !path.split('/').includes('openai') ? '/openai/v1' : ''
  url.pathname = `${path}${version}${azure}${preset?.keyCheckPath ?? '/models'}`
  return url
}

function authorization(endpoint: CheckedEndpoint, key: string): Record<string, string> {
  const { api, authHeader, onlyBearer = false } = endpoint
  const own = onlyBearer ? undefined : keyHeader(endpoint)
  return {
    ...(own === undefined ? {} : { [own]: key }),
    ...(own === undefined || authHeader ? { Authorization: `Bearer ${key}` } : {}),
    ...(api === 'anthropic-messages' ? { 'anthropic-version': '2023-06-01' } : {}),
  }
}

/** The API's own header for a key; undefined if it takes `Authorization` alone. */
function keyHeader(endpoint: Endpoint): string | undefined {
  if (isAzure(endpoint)) return 'api-key'
  switch (endpoint.api) {
    case 'anthropic-messages':
      return 'x-api-key'
    case 'google-generative-ai':
    case 'google-vertex':
      return 'x-goog-api-key'
    default:
      return undefined
  }
}

function isAzure({ preset }: Endpoint): boolean {
  return preset?.compatEverywhere?.['openai-responses']?.azure === true
}

function verdictOf(failure: Failure, provider: string): KeyVerdict {
  const { message, data } = failure
  switch (data.kind) {
    case 'auth':
      return data['noCredit'] === true
        ? { outcome: 'valid', message: `The key is valid, but ${message}` }
        : { outcome: 'refused', message }
    case 'rate_limit':
      return { outcome: 'valid', message: `The key is valid, and has reached a limit: ${message}` }
    case 'network':
    case 'stall':
    case 'overloaded':
      return { outcome: 'unreachable', message }
    default:
      return { outcome: 'unknown', message: `${provider} does not report whether a key is valid: ${message}` }
  }
}
