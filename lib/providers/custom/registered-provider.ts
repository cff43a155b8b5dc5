// A provider under a name of a user's own, as it is found by that name.
import type { AuthStorage } from '../../streams/ports/auth-storage.ts'
import type { GetApiKey } from '../../streams/ports/auth-storage.ts'
import type { Model } from '../../streams/models/model.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import type { Fetch } from '../http/guarded-fetch.ts'
import type { KeyMemory } from '../keys/key-memory.ts'

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
