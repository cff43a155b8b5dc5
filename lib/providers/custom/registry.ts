// Holds the registered providers of this process, and describes their models.
import type { AuthStorage, GetApiKey } from '../../streams/ports/auth-storage.ts'
import type { Model } from '../../streams/models/model.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import type { Fetch } from '../http/guarded-fetch.ts'
import type { KeyMemory } from '../keys/key-memory.ts'
import type { ProviderDetails } from './declaration-schemas.ts'

/** The surroundings in which a registered provider is opened. */
export interface RegisteredSurroundings {
  /** The session's environment: keys and addresses. */
  readonly env: Readonly<Record<string, string>>
  /** The environment with which a person started the server; for providers alone. @default none */
  readonly startEnv?: Readonly<Record<string, string>> | undefined
  /** @default `httpFetch` */
  readonly fetch?: Fetch
  /** The stored keys. @default none */
  readonly authStorage?: AuthStorage
  /** Returns the key of each request, before all others. @default none */
  readonly getApiKey?: GetApiKey
  /** Remembered keys. @default those of this process */
  readonly memory?: KeyMemory
}

export interface RegisteredProvider {
  readonly name: string
  /** The model that the name alone means. */
  readonly defaultModel: string | undefined
  /** The listed models; any other id is valid too. */
  readonly models: readonly Model[]
  /** @throws Failure kind `auth` without its key, `bad_config` without an address */
  open(id: string, surroundings: RegisteredSurroundings): ProviderModel
}

/** The models in a registration. */
export type RegisteredModels = Pick<ProviderDetails, 'models' | 'defaultModel'>

/** Returns the descriptors of the listed models. */
export function registeredModels(provider: string, { models = [] }: RegisteredModels): readonly Model[] {
  return models.map((listed) => {
    const { inputs = ['text'], reasoning = false, ...more } = typeof listed === 'string' ? { id: listed } : listed
    return { ...more, inputs, reasoning, provider, api: provider }
  })
}

/** Returns the descriptor of a model; nothing is claimed of an id that is not listed. */
export function registeredModel(provider: string, id: string, details: RegisteredModels): Model {
  const named = registeredModels(provider, details).find((model) => model.id === id)
  return named ?? { id, provider, api: provider, inputs: ['text'], reasoning: false }
}

/** The providers of `registerProvider`; every session without a registry of its own finds them. */
export const registeredProviders = new Map<string, RegisteredProvider>()
