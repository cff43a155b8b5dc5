// Rotates a provider's keys: a session stays with its key until that has to rest after a limit.
import { catchError, defer, from, last, mergeMap, of, throwError } from 'rxjs'
import type { MonoTypeOperatorFunction, Observable } from 'rxjs'
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { FailureData } from '../../streams/values/failure.ts'
import type { GetApiKey } from '../../streams/ports/auth-storage.ts'
import type { StoredAccount } from '../../streams/accounts/account-storage.ts'
import type { Provider, ProviderRequest } from '../../streams/ports/provider.ts'
import { hasNoCredit } from '../http/provider-failure.ts'
import type { KeyMemory, KeyRest } from './key-memory.ts'
import { planFailure } from './plan-failure.ts'
import type { ProviderKey } from './provider-key.ts'

export interface RotateKeysOptions {
  /** The display name. */
  readonly provider: string
  /** Returns the keys for each request; none: the request has no key. @throws Failure kind `auth` */
  readonly keys: () => readonly ProviderKey[]
  /** Returns the key of each request, before all others. @default none */
  readonly getApiKey?: GetApiKey
  readonly memory: Pick<KeyMemory, 'rest' | 'cool' | 'lastKey' | 'noteKey'>
  /** Creates the provider for one key; called once for each key. */
  readonly respondWith: (apiKey$: Observable<string | undefined>, account?: StoredAccount) => Provider
}

/** Milliseconds that a key rests if the provider does not report a time … */
const defaultRestMs = 30_000
/** … if its account has no money left … */
const noCreditRestMs = 3_600_000
/** … and at least. */
const minRestMs = 1_000

/**
 * Creates a Provider that chooses its key. A limit failure (`rate_limit`, or an account without money) lets the key
 * rest. It then has `otherKey` if another key is available, else the time until one is. A refused key from a command's
 * earlier output also gets `otherKey`: the command runs again. Buffers nothing; unsubscribing ends the request.
 */
export function rotateKeys(options: RotateKeysOptions): Provider {
  const { provider, keys, getApiKey, respondWith } = options
  const keyless = { answer: respondWith(of(undefined)) }
  let current: { readonly key: string; readonly answer: Provider } | undefined
  let providers = new Map<string, KeyProvider>()
  function withOwnKeys(request: ProviderRequest): Observable<AssistantDelta> {
    const all = keys().map(
      (key) =>
        providers.get(key.identity) ?? {
          key,
          answer: respondWith(
            defer(() => key.value$),
            key.account,
          ),
        },
    )
    providers = new Map(all.map((each) => [each.key.identity, each]))
    const [first] = all
    if (first === undefined) return keyless.answer(request)
    // requests with one key skip the work for several keys
    return all.length === 1 && !isRenewable(first.key)
      ? first.answer(request)
      : requestWithRotation(all, request, options)
  }
  if (getApiKey === undefined) return (request) => defer(() => withOwnKeys(request))
  return (request) =>
    requestKey(provider, getApiKey).pipe(
      mergeMap((key) => {
        if (key === undefined) return withOwnKeys(request)
        if (current?.key !== key) current = { key, answer: respondWith(of(key)) }
        return current.answer(request)
      }),
    )
}

interface KeyProvider {
  readonly key: ProviderKey
  readonly answer: Provider
}

function requestKey(provider: string, getApiKey: GetApiKey): Observable<string | undefined> {
  return defer(() => from(getApiKey(provider) ?? [])).pipe(
    last(null, undefined),
    catchError((error: unknown) => throwError(() => keyUnavailable(provider, error))),
  )
}

function keyUnavailable(provider: string, error: unknown): Failure {
  const message = `getApiKey returned no key for ${provider}: ${Failure.from(error).message}`
  return new Failure('provider_error', message, { data: { kind: 'auth' }, cause: error })
}

function requestWithRotation(
  all: readonly KeyProvider[],
  request: ProviderRequest,
  { memory, provider }: Pick<RotateKeysOptions, 'memory' | 'provider'>,
): Observable<AssistantDelta> {
  const { sessionId } = request
  const last = sessionId === undefined ? undefined : memory.lastKey?.(provider, sessionId)
  const chosen = chooseKey(all, last, memory)
  if (sessionId !== undefined) memory.noteKey?.(provider, sessionId, chosen.key.identity)
  return chosen.answer(request).pipe(
    warnOfProblem(chosen.key),
    catchError((error: unknown) => {
      const failure = failureFor(Failure.from(error, 'provider_error'), chosen.key, request)
      const rest = restAfter(failure)
      if (rest === undefined) return throwError(() => withRefreshedKey(failure, chosen))
      if (all.length === 1) return throwError(() => failure)
      memory.cool(chosen.key.identity, rest)
      return throwError(() => withOtherKey(failure, { chosen, all, memory }))
    }),
  )
}

/** A problem of the account follows the first delta: the token is there by then. */
function warnOfProblem({ problem, account }: ProviderKey): MonoTypeOperatorFunction<AssistantDelta> {
  if (problem === undefined || account === undefined) return (delta$) => delta$
  return mergeMap((delta, index) => {
    const found = index === 0 ? problem() : undefined
    if (found === undefined) return [delta]
    const context = { provider: account.provider }
    return [delta, { type: 'warning' as const, ...found, context, recoverable: true }]
  })
}

function failureFor(failure: Failure, { account }: ProviderKey, { model }: ProviderRequest): Failure {
  return account === undefined ? failure : planFailure(failure, account, model.id)
}

/** The last key of the session if it does not rest, so that its cache is used; else the first of the shortest rest. */
function chooseKey(
  all: readonly KeyProvider[],
  last: string | undefined,
  memory: RotateKeysOptions['memory'],
): KeyProvider {
  const own = all.find(({ key }) => key.identity === last)
  if (own !== undefined && restOf(own, memory).ms === 0) return own
  return all.reduce((best, each) => (restOf(each, memory).ms < restOf(best, memory).ms ? each : best))
}

function restOf({ key }: KeyProvider, memory: RotateKeysOptions['memory']): KeyRest {
  return memory.rest(key.identity)
}

function isRenewable({ origin, account }: ProviderKey): boolean {
  return origin.kind === 'command' || account !== undefined
}

/** The earlier output of a command may have expired, and the vendor may have revoked a token before its time. */
function withRefreshedKey(failure: Failure, { key }: KeyProvider): Failure {
  const { kind, status } = failure.data
  if (kind !== 'auth' || !isRenewable(key)) return failure
  // a plan without the model is refused with 403: another token is refused too
  if (key.account !== undefined && status !== 401) return failure
  key.forget()
  if (!key.isFromMemory()) return failure
  const otherKey =
    key.account === undefined
      ? { from: `what ${key.label} gave before`, to: 'what it gives now', keys: 2 }
      : { from: `the token of ${key.label}`, to: 'a renewed one', keys: 2 }
  return withData(failure, { otherKey })
}

/** Undefined if the failure is no limit of the key. */
function restAfter({ data: { kind, status, retryAfterMs, providerCode } }: Failure): KeyRest | undefined {
  const isReported = retryAfterMs !== undefined && retryAfterMs > 0
  if (hasNoCredit(status, providerCode)) return { ms: isReported ? retryAfterMs : noCreditRestMs, isReported: true }
  if (kind !== 'rate_limit') return undefined
  return { ms: Math.max(retryAfterMs ?? defaultRestMs, minRestMs), isReported: retryAfterMs !== undefined }
}

interface LimitedKey {
  readonly chosen: KeyProvider
  readonly all: readonly KeyProvider[]
  readonly memory: RotateKeysOptions['memory']
}

function withOtherKey(failure: Failure, { chosen, all, memory }: LimitedKey): Failure {
  const ready = all.find((each) => restOf(each, memory).ms === 0)
  if (ready !== undefined) {
    return withData(failure, { otherKey: { from: chosen.key.label, to: ready.key.label, keys: all.length } })
  }
  const soonest = all.map((each) => restOf(each, memory)).reduce((best, each) => (each.ms < best.ms ? each : best))
  return soonest.isReported ? withData(failure, { retryAfterMs: soonest.ms }) : failure
}

function withData(failure: Failure, data: FailureData): Failure {
  return new Failure('provider_error', failure.message, { data: { ...failure.data, ...data }, cause: failure })
}
