// Registers custom providers under unique names: functions, or declarations of an HTTP API.
import { Failure, describeThrown } from '../../streams/values/failure.ts'
import type { Provider } from '../../streams/ports/provider.ts'
import { checkProviderDetails } from './check-declaration.ts'
import { presets } from '../endpoints/presets.ts'
import type { AnyDeclaration, ProviderDeclaration } from './provider-declaration.ts'
import { registeredModel, registeredModels, registeredProviders } from './registry.ts'
import type { RegisteredModels, RegisteredProvider, RegisteredSurroundings } from './registry.ts'
import { catchError, defer, throwError, of } from 'rxjs'
import { withPossibleUsage } from '../adapter/usage-cost.ts'
import { thrownFailure } from '../http/provider-failure.ts'
import type { Observable } from 'rxjs'
import { httpFetch } from '../../host/http/http-fetch.ts'
import type { Model } from '../../streams/models/model.ts'
import { missingKey } from '../keys/credential.ts'
import { customResponse } from './custom-response.ts'
import { chooseEnvironment } from '../keys/key-environment.ts'
import { processKeyMemory } from '../keys/key-memory.ts'
import { rotateKeys } from '../keys/key-rotation.ts'
import { isLoopback } from '../endpoints/endpoint.ts'
import type { Preset } from '../endpoints/preset.ts'
import { usedKeys } from '../keys/provider-keys.ts'

/**
 * Registers a provider under a name, by which `model: 'name/id'` finds it; the name alone means its default model.
 * Returns a function that removes it; sessions that use it keep it.
 * @throws Failure `bad_request` for a taken name, and for an invalid declaration with its fault
 */
export interface RegisterProvider {
  /** A function that answers requests: cold, and unsubscribing ends the request. */
  (name: string, provider: Provider, models?: RegisteredModels): () => void
  /** The declaration of an API over HTTP whose answers come as server-sent events, or whole as JSON. */
  <Chunk = Record<string, unknown>, Body = Chunk>(declaration: ProviderDeclaration<Chunk, Body>): () => void
}

export interface ProviderRegistry {
  readonly register: RegisterProvider
  get(name: string): RegisteredProvider | undefined
}

/** Names of rxpi's own providers. */
const reserved = new Set([...Object.keys(presets), 'demo', 'scripted', 'replay'])

export interface ProviderRegistryOptions {
  /** The providers so far. @default none */
  readonly providers?: Map<string, RegisteredProvider>
  /** True for further names that are taken. @default none is */
  readonly isTaken?: (name: string) => boolean
}

export function createProviderRegistry(options: ProviderRegistryOptions = {}): ProviderRegistry {
  const { providers = new Map<string, RegisteredProvider>(), isTaken = () => false } = options
  const register: RegisterProvider = (
    nameOrDeclaration: string | AnyDeclaration,
    provider?: unknown,
    models: RegisteredModels = {},
  ) => {
    const registered =
      typeof nameOrDeclaration === 'string'
        ? registeredFunction(nameOrDeclaration, provider, models)
        : customProvider(nameOrDeclaration)
    const { name } = registered
    if (reserved.has(name)) throw refusal(name, 'rxpi has a provider of this name itself; choose another')
    if (providers.has(name) || isTaken(name)) throw refusal(name, 'there is one already; unregister that one first')
    providers.set(name, registered)
    return () => {
      if (providers.get(name) === registered) providers.delete(name)
    }
  }
  return {
    register,
    get: (name) => providers.get(name),
  }
}

function registeredFunction(name: string, provider: unknown, details: RegisteredModels): RegisteredProvider {
  if (!isProvider(provider)) throw refusal(name, 'give a function (request) => Observable, or one declaration')
  const checked = checkProviderDetails({ ...details, name })
  if (!checked.ok) throw refusal(name, checked.problem)
  return {
    name,
    defaultModel: details.defaultModel,
    models: registeredModels(name, details),
    open: (id) => ({ model: registeredModel(name, id, details), provider: functionProvider(name, provider) }),
  }
}

function isProvider(value: unknown): value is Provider {
  return typeof value === 'function'
}

function refusal(name: string, why: string): Failure {
  return new Failure('bad_request', `The provider "${name}" cannot be registered: ${why}.`)
}

/**
 * Types the failures of a provider function. If it throws, or its Observable fails without a Failure, the error becomes
 * a `provider_error`: of kind `network` if the system or `fetch` reports that, else `bad_request`, which is not
 * retried.
 */
function functionProvider(name: string, provider: Provider): Provider {
  return (request) =>
    defer(() => withPossibleUsage(provider, name)(request)).pipe(
      catchError((thrown: unknown) => throwError(() => toTypedFailure(name, thrown))),
    )
}

/** Messages of the platforms' `fetch` for a broken connection. */
const brokenFetch = /fetch|terminated|network|load failed/i

function toTypedFailure(provider: string, thrown: unknown): Failure {
  if (thrown instanceof TypeError && thrown.cause === undefined && !brokenFetch.test(thrown.message)) {
    return new Failure('provider_error', `${provider}: ${describeThrown(thrown)}`, {
      data: { kind: 'bad_request' },
      cause: thrown,
    })
  }
  return thrownFailure(thrown, { provider })
}

/** Registers a provider for all sessions of this process; see `RegisterProvider`. */
export const registerProvider: RegisterProvider = createProviderRegistry({ providers: registeredProviders }).register

/** @throws Failure `bad_request` naming the field that does not fit */
export function customProvider(declaration: AnyDeclaration): RegisteredProvider {
  checkDeclaration(declaration)
  const { name, defaultModel } = declaration
  return {
    name,
    defaultModel,
    models: registeredModels(name, declaration),
    open: (id, surroundings) => {
      const baseUrl = addressOf(declaration, surroundings)
      return {
        model: { ...registeredModel(name, id, declaration), ...addressFields(baseUrl) },
        provider: providerWithKeys(declaration, baseUrl, surroundings),
      }
    },
  }
}

const functions = ['buildRequest', 'parseStreamChunk', 'parseResponse'] as const

function checkDeclaration(declaration: unknown): asserts declaration is AnyDeclaration {
  if (typeof declaration !== 'object' || declaration === null)
    throw invalidDeclaration(undefined, 'it is not an object')
  const { buildRequest, parseStreamChunk, parseResponse, errorMap, ...rest } = declaration as Partial<AnyDeclaration>
  const isFunction = typeof errorMap === 'function'
  const checked = checkProviderDetails(isFunction || errorMap === undefined ? rest : { ...rest, errorMap })
  if (!checked.ok) throw invalidDeclaration(rest.name, checked.problem)
  for (const name of functions) {
    const value: unknown = { buildRequest, parseStreamChunk, parseResponse }[name]
    const isMissing = value === undefined && name !== 'buildRequest'
    if (!isMissing && typeof value !== 'function') throw invalidDeclaration(rest.name, `${name} must be a function`)
  }
  if (parseStreamChunk === undefined && parseResponse === undefined) {
    throw invalidDeclaration(rest.name, 'it needs parseStreamChunk, parseResponse, or both')
  }
  if (rest.baseUrl === undefined && rest.baseUrlVariable === undefined) {
    throw invalidDeclaration(rest.name, 'it needs a baseUrl, a baseUrlVariable, or both')
  }
}

function invalidDeclaration(name: unknown, problem: string): Failure {
  const whose = typeof name === 'string' ? ` "${name}"` : ''
  return new Failure('bad_request', `The declaration of the provider${whose} cannot be registered: ${problem}.`)
}

function addressOf(
  { name, baseUrl, baseUrlVariable, auth }: AnyDeclaration,
  surroundings: RegisteredSurroundings,
): string {
  const { env } = chooseEnvironment(auth === undefined ? undefined : { keyVariable: auth.variable }, surroundings)
  const configured = baseUrlVariable === undefined ? undefined : env[baseUrlVariable]?.trim() || undefined
  const address = configured ?? baseUrl
  if (address === undefined) {
    throw new Failure('bad_config', `${name} has no address: set ${baseUrlVariable ?? ''}.`)
  }
  const url = URL.parse(address)
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return address
  const whose = configured === undefined ? 'its baseUrl' : (baseUrlVariable ?? '')
  const message = `${name}: ${whose} is not an http(s) address without user and password: give one like https://host/v1.`
  throw new Failure('bad_config', message)
}

/** The address without its query, which may contain a key. */
function addressFields(baseUrl: string): Pick<Model, 'baseUrl' | 'local'> {
  const { origin, pathname } = new URL(baseUrl)
  return { baseUrl: origin + pathname, ...(isLoopback(baseUrl) ? { local: true } : {}) }
}

/** Adds the keys of the environment and the stored keys of this address; they rotate like those of any provider. */
function providerWithKeys(
  declaration: AnyDeclaration,
  baseUrl: string,
  surroundings: RegisteredSurroundings,
): Provider {
  const { name: provider, auth, headers = {} } = declaration
  const { env, startEnv, authStorage, getApiKey, memory = processKeyMemory, fetch = httpFetch } = surroundings
  const respondWith = (apiKey$: Observable<string | undefined>) =>
    customResponse({ declaration, provider, baseUrl, apiKey$, headers, fetch })
  if (auth === undefined) return respondWith(of(undefined))
  const preset: Preset = { title: provider, api: 'openai-completions', keyVariable: auth.variable }
  const address = { provider, preset, entry: undefined, baseUrl, isFromEnvironment: false }
  const keys = () => {
    const sources = { env, startEnv, memory, cwd: '/', ...(authStorage === undefined ? {} : { authStorage }) }
    const used = usedKeys(address, sources)
    if (used.length === 0) throw missingKey(provider, auth.variable)
    return used
  }
  if (getApiKey === undefined) keys() // throws if one is missing
  return rotateKeys({ provider, keys, memory, respondWith, ...(getApiKey === undefined ? {} : { getApiKey }) })
}
