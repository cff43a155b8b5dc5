// Which model a session begins with: what its command, else its log, else the settings name, or what is found where nothing is named.
import type { Observable } from 'rxjs'
import { resolveModel } from '../providers/index.ts'
import type { Configuration } from '../store/index.ts'
import type { WritableAuthStorage } from '../streams/auth-storage.ts'
import type { CommandNamed } from '../streams/command.ts'
import type { ProviderModel } from '../streams/provider.ts'
import type { Notice } from './session-host.ts'

/** The user's files, with where his keys are. */
export interface UserConfiguration extends Configuration {
  readonly authStorage: WritableAuthStorage
}

export interface ConfiguredModel extends ProviderModel {
  readonly notices: readonly Notice[]
}

/** Emits it once, in the call itself; see `resolveModel`. @param logged what the session was left with */
export function configuredModel(
  { model, cwd, env = {} }: Pick<CommandNamed<'new_session'>, 'model' | 'cwd' | 'env'>,
  { settings, models, authStorage }: UserConfiguration,
  logged: string | undefined,
): Observable<ConfiguredModel> {
  const name = model ?? logged ?? settings.model
  const { fallbacks = [] } = settings
  return resolveModel({ env, models, authStorage, cwd, fallbacks, ...(name === undefined ? {} : { name }) })
}
