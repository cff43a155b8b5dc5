// Providers of a user's own have names that nobody else has: a second one of a name is refused, never taken for the first.
import { Failure } from '../../streams/values/failure.ts'
import type { Provider } from '../../streams/ports/provider.ts'
import { checkProviderDetails } from './check-declaration.ts'
import { declaredProvider } from './custom-provider.ts'
import { presets } from '../endpoints/presets.ts'
import type { AnyDeclaration, ProviderDeclaration } from './provider-declaration.ts'
import { registeredModel, registeredModels, registeredProviders } from './registry.ts'
import type { RegisteredModels, RegisteredProvider } from './registry.ts'
import { catchError, defer, throwError } from 'rxjs'
import { thrownFailure } from '../http/provider-failure.ts'

/**
 * Registers a provider under a name of its own, by which `model: 'name/id'` finds it; the name alone means its default model.
 * Returns what takes it out again; sessions that use it keep it.
 * @throws Failure `bad_request` for a name that is taken, and for a declaration that does not fit, with what is wrong
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

/** Names that mean something already. */
const reserved = new Set([...Object.keys(presets), 'demo', 'scripted', 'replay'])

export interface ProviderRegistryOptions {
  /** What is registered already. @default nothing */
  readonly providers?: Map<string, RegisteredProvider>
  /** Which other names are not free. @default all others are */
  readonly isTaken?: (name: string) => boolean
}

export function providerRegistry(options: ProviderRegistryOptions = {}): ProviderRegistry {
  const { providers = new Map<string, RegisteredProvider>(), isTaken = () => false } = options
  const register: RegisterProvider = (
    given: string | AnyDeclaration,
    provider?: unknown,
    models: RegisteredModels = {},
  ) => {
    const registered = typeof given === 'string' ? ofFunction(given, provider, models) : declaredProvider(given)
    const { name } = registered
    if (reserved.has(name)) throw refused(name, 'rxpi has a provider of this name itself; choose another')
    if (providers.has(name) || isTaken(name)) throw refused(name, 'there is one already; take that one out first')
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

function ofFunction(name: string, provider: unknown, details: RegisteredModels): RegisteredProvider {
  if (!isProvider(provider)) throw refused(name, 'give a function (request) => Observable, or one declaration')
  const checked = checkProviderDetails({ ...details, name })
  if (!checked.ok) throw refused(name, checked.problem)
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

function refused(name: string, why: string): Failure {
  return new Failure('bad_request', `The provider "${name}" cannot be registered: ${why}.`)
}

// A function that answers requests is a provider once its failures are typed: a bug in it is never taken for a broken line.

/**
 * The same provider; a throw of the function, and an error of its Observable that is no Failure, become a `provider_error`: of
 * kind `network` where the system or `fetch` says so, else `bad_request`, which is not asked again.
 */
function functionProvider(name: string, provider: Provider): Provider {
  return (request) =>
    defer(() => provider(request)).pipe(catchError((thrown: unknown) => throwError(() => typed(name, thrown))))
}

/** How the platforms' own `fetch` says that the line broke. */
const brokenFetch = /fetch|terminated|network|load failed/i

function typed(provider: string, thrown: unknown): Failure {
  if (thrown instanceof TypeError && thrown.cause === undefined && !brokenFetch.test(thrown.message)) {
    return new Failure('provider_error', `${provider}: ${thrown.message}`, {
      data: { kind: 'bad_request' },
      cause: thrown,
    })
  }
  return thrownFailure(thrown, { provider })
}

// The registry of this process.

/** For all sessions of this process; see `RegisterProvider`. */
export const registerProvider: RegisterProvider = providerRegistry({ providers: registeredProviders }).register
