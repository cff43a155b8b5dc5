// Defines a provider's key, its address, and the sources of keys.
import type { Observable } from 'rxjs'
import type { AccountProblem, StoredAccount } from '../../streams/accounts/account-storage.ts'
import type { KeyOrigin } from '../../streams/commands/auth-commands.ts'
import type { ModelsProvider } from '../../streams/config/settings.ts'
import type { AuthStorage } from '../../streams/ports/auth-storage.ts'
import type { KeyEnvironments, KeyVariables } from './key-environment.ts'
import type { KeyMemory } from './key-memory.ts'

/** The sources of keys beside `models.json`. */
export interface KeySources extends KeyEnvironments {
  /** @default no stored keys */
  readonly authStorage?: AuthStorage
  readonly memory: KeyMemory
  /** A key's command finds no program in this folder. */
  readonly cwd: string
}

/** A provider and its address. */
export interface KeyAddress {
  readonly provider: string
  /** The key variables of the preset, in order of precedence. */
  readonly preset: KeyVariables | undefined
  readonly entry: ModelsProvider | undefined
  /** Absent if no source sets it. */
  readonly baseUrl: string | undefined
  /** True if the environment sets the address: then the keys of models.json do not apply. */
  readonly isFromEnvironment: boolean
}

/** A key and its source. */
export interface ProviderKey {
  /** Identifies the key in this process; never shown. */
  readonly identity: string
  /** The display name, such as `OPENAI_API_KEY`. */
  readonly label: string
  readonly origin: KeyOrigin
  /** Emits the key once and completes; fails with kind `auth`. */
  readonly value$: Observable<string>
  /** True if `value$` emitted the output of an earlier run of the command. */
  readonly isFromMemory: () => boolean
  /** Makes a command run again for the next request, or an account renew its token. */
  readonly forget: () => void
  /** The account whose token it is. */
  readonly account?: StoredAccount
  /** A problem of the account, known once `value$` emitted. */
  readonly problem?: () => AccountProblem | undefined
}
