// A provider under a name of a user's own, as it is found by that name.
import type { AuthStorage, GetApiKey } from '../../streams/ports/auth-storage.ts'
import type { Model } from '../../streams/models/model.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import type { Fetch } from '../http/guarded-fetch.ts'
import type { KeyMemory } from '../keys/key-memory.ts'
import type { ProviderDetails } from './declaration-schemas.ts'

/** What a registered provider is opened with. */
export interface RegisteredSurroundings {
  /** The session's environment: keys and addresses. */
  readonly env: Readonly<Record<string, string>>
  /** @default over node:http(s), on kept connections */
  readonly fetch?: Fetch
  /** Keys that people have stored. @default none */
  readonly authStorage?: AuthStorage
  /** Asked for the key of each request, before all others. @default nobody */
  readonly getApiKey?: GetApiKey
  /** What is remembered of keys. @default what all of this process remember */
  readonly memory?: KeyMemory
}

export interface RegisteredProvider {
  readonly name: string
  /** What its name alone means. */
  readonly defaultModel: string | undefined
  /** Those that it names; any other id is taken too. */
  readonly models: readonly Model[]
  /** @throws Failure kind `auth` without its key, `bad_config` without an address */
  open(id: string, surroundings: RegisteredSurroundings): ProviderModel
}

// The models of a registered provider: what was said of them, and nothing that is guessed.

/** What a provider says of its models. */
export type RegisteredModels = Pick<ProviderDetails, 'models' | 'defaultModel'>

/** The descriptors of those that it names. */
export function registeredModels(provider: string, { models = [] }: RegisteredModels): readonly Model[] {
  return models.map((listed) => {
    const { inputs = ['text'], reasoning = false, ...more } = typeof listed === 'string' ? { id: listed } : listed
    return { ...more, inputs, reasoning, provider, api: provider }
  })
}

/** Of an id that it does not name nothing is claimed. */
export function registeredModel(provider: string, id: string, details: RegisteredModels): Model {
  const named = registeredModels(provider, details).find((model) => model.id === id)
  return named ?? { id, provider, api: provider, inputs: ['text'], reasoning: false }
}

// What this process's programs registered, by name; looking here costs nothing of what registering needs.

/** What `registerProvider` fills: found by every session that brings no registry of its own. */
export const registeredProviders = new Map<string, RegisteredProvider>()
