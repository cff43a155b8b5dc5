// Creates a registry of providers that only its own sessions use.
import type { Observable } from 'rxjs'
import { map } from 'rxjs'
import type { AuthStorage, GetApiKey } from '../../streams/ports/auth-storage.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import type { ModelsFile } from '../../streams/config/settings.ts'
import type { Fetch } from '../http/guarded-fetch.ts'
import { createProviderRegistry } from '../custom/register-provider.ts'
import type { RegisterProvider } from '../custom/register-provider.ts'
import { registeredProviders } from '../custom/registry.ts'
import { resolveModel } from './resolve-model.ts'

export interface ModelRegistryOptions {
  /** Keys and addresses. @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The stored keys. @default none */
  readonly authStorage?: AuthStorage
  /** Returns the key of each request, before all others. @default none */
  readonly getApiKey?: GetApiKey
  /** Custom endpoints, as in models.json. @default none */
  readonly models?: ModelsFile
  /** @default `httpFetch` */
  readonly fetch?: Fetch
}

export interface OwnModelRegistry {
  /** Registers a provider in this registry only. */
  readonly register: RegisterProvider
  /**
   * Emits once and completes: a model of this registry, else one of `registerProvider`, else one of rxpi. Fails with a
   * Failure.
   */
  resolve(name: string): Observable<ProviderModel>
}

/** Creates the registry for `createSession({modelRegistry})`; it refuses names of the process's own registry. */
export function createModelRegistry(options: ModelRegistryOptions = {}): OwnModelRegistry {
  const { env, models, authStorage, getApiKey, fetch } = options
  const own = createProviderRegistry({ isTaken: (name) => registeredProviders.has(name) })
  return {
    register: own.register,
    resolve: (name) =>
      resolveModel({
        name,
        env: defined(env ?? process.env),
        models: models ?? { providers: {} },
        registered: (provider) => own.get(provider) ?? registeredProviders.get(provider),
        ...(authStorage === undefined ? {} : { authStorage }),
        ...(getApiKey === undefined ? {} : { getApiKey }),
        ...(fetch === undefined ? {} : { fetch }),
      }).pipe(map(({ notices, ...found }) => found)),
  }
}

function defined(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined))
}
