// A declaration is checked once, when it is registered, and opened for a session with that session's environment.
import { of } from 'rxjs'
import type { Observable } from 'rxjs'
import { httpFetch } from '../../host/http/http-fetch.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { Model } from '../../streams/models/model.ts'
import type { Provider } from '../../streams/ports/provider.ts'
import { checkProviderDetails } from './check-declaration.ts'
import { missingKey } from '../keys/credential.ts'
import { declaredAnswer } from './custom-response.ts'
import { processKeyMemory } from '../keys/key-memory.ts'
import { keyedProvider } from '../keys/key-rotation.ts'
import { isLoopback } from '../endpoints/endpoint.ts'
import type { Preset } from '../endpoints/preset.ts'
import type { AnyDeclaration } from './provider-declaration.ts'
import { usedKeys } from '../keys/provider-keys.ts'
import { registeredModel, registeredModels } from './registry.ts'
import type { RegisteredProvider, RegisteredSurroundings } from './registry.ts'

/** @throws Failure `bad_request` naming the field that does not fit */
export function declaredProvider(declaration: AnyDeclaration): RegisteredProvider {
  checkDeclaration(declaration)
  const { name, defaultModel } = declaration
  return {
    name,
    defaultModel,
    models: registeredModels(name, declaration),
    open: (id, surroundings) => {
      const baseUrl = addressOf(declaration, surroundings)
      return {
        model: { ...registeredModel(name, id, declaration), ...placeOf(baseUrl) },
        provider: keyed(declaration, baseUrl, surroundings),
      }
    },
  }
}

const functions = ['buildRequest', 'parseStreamChunk', 'parseResponse'] as const

function checkDeclaration(declaration: unknown): asserts declaration is AnyDeclaration {
  if (typeof declaration !== 'object' || declaration === null) throw unfit(undefined, 'it is no object')
  const { buildRequest, parseStreamChunk, parseResponse, errorMap, ...rest } = declaration as Partial<AnyDeclaration>
  const isFunction = typeof errorMap === 'function'
  const checked = checkProviderDetails(isFunction || errorMap === undefined ? rest : { ...rest, errorMap })
  if (!checked.ok) throw unfit(rest.name, checked.problem)
  for (const name of functions) {
    const value: unknown = { buildRequest, parseStreamChunk, parseResponse }[name]
    const isMissing = value === undefined && name !== 'buildRequest'
    if (!isMissing && typeof value !== 'function') throw unfit(rest.name, `${name} must be a function`)
  }
  if (parseStreamChunk === undefined && parseResponse === undefined) {
    throw unfit(rest.name, 'it needs parseStreamChunk, parseResponse, or both')
  }
  if (rest.baseUrl === undefined && rest.baseUrlVariable === undefined) {
    throw unfit(rest.name, 'it needs a baseUrl, a baseUrlVariable, or both')
  }
}

function unfit(name: unknown, problem: string): Failure {
  const whose = typeof name === 'string' ? ` "${name}"` : ''
  return new Failure('bad_request', `The declaration of the provider${whose} cannot be registered: ${problem}.`)
}

function addressOf({ name, baseUrl, baseUrlVariable }: AnyDeclaration, { env }: RegisteredSurroundings): string {
  const told = baseUrlVariable === undefined ? undefined : env[baseUrlVariable]?.trim() || undefined
  const address = told ?? baseUrl
  if (address === undefined) {
    throw new Failure('bad_config', `Nobody says where ${name} answers: set ${baseUrlVariable ?? ''}.`)
  }
  const url = URL.parse(address)
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return address
  const whose = told === undefined ? 'its baseUrl' : (baseUrlVariable ?? '')
  const message = `${name}: ${whose} is no http(s) address without user and password: give one like https://host/v1.`
  throw new Failure('bad_config', message)
}

/** Without its query, which may hold a key. */
function placeOf(baseUrl: string): Pick<Model, 'baseUrl' | 'local'> {
  const { origin, pathname } = new URL(baseUrl)
  return { baseUrl: origin + pathname, ...(isLoopback(baseUrl) ? { local: true } : {}) }
}

/** With the keys of the environment and those that people stored for this address; rotated like any provider's. */
function keyed(declaration: AnyDeclaration, baseUrl: string, surroundings: RegisteredSurroundings): Provider {
  const { name: provider, auth, headers = {} } = declaration
  const { env, authStorage, getApiKey, memory = processKeyMemory, fetch = httpFetch } = surroundings
  const answerWith = (apiKey$: Observable<string | undefined>) =>
    declaredAnswer({ declaration, provider, baseUrl, apiKey$, headers, fetch })
  if (auth === undefined) return answerWith(of(undefined))
  const preset: Preset = { title: provider, api: 'openai-completions', keyVariable: auth.variable }
  const place = { provider, preset, entry: undefined, baseUrl, toldByEnvironment: false }
  const keys = () => {
    const sources = { env, memory, cwd: '/', ...(authStorage === undefined ? {} : { authStorage }) }
    const used = usedKeys(place, sources)
    if (used.length === 0) throw missingKey(provider, auth.variable)
    return used
  }
  if (getApiKey === undefined) keys() // throws where one is missing
  return keyedProvider({ provider, keys, memory, answerWith, ...(getApiKey === undefined ? {} : { getApiKey }) })
}
