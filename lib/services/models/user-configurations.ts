// What the user's files say is read anew for each client, with that client's environment on top.
import type { rxpiPaths } from '../../host/files/paths.ts'
import { loadConfiguration } from '../../store/index.ts'
import type { AuthStorage } from '../../streams/ports/auth-storage.ts'
import type { UserConfiguration } from './configured-model.ts'

/** The files of this user, for a client with the given environment. @throws Failure `bad_config` in the call */
export function userConfigurations(
  { home, config }: ReturnType<typeof rxpiPaths>,
  authStorage: AuthStorage,
): (env: Readonly<Record<string, string>>) => UserConfiguration {
  return (env) => ({ ...loadConfiguration({ env, configFolder: config }), authStorage, home })
}
