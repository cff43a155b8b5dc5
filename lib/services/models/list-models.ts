// The user's files and the client's environment say which models can be named, and which of them can be asked now.
import { defer } from 'rxjs'
import { listModels as listed, processKeyMemory } from '../../providers/index.ts'
import { localMsOf } from './configured-model.ts'
import type { UserConfiguration } from './configured-model.ts'
import type { SessionHost } from '../contract/session-host.ts'

/** Where somebody reads a list, an endpoint may take longer than where a run waits for it. */
const patience = 3

/** @param configured the user's files, for a client with this environment */
export function listModels(
  configured: (env: Readonly<Record<string, string>>) => UserConfiguration,
): SessionHost['listModels'] {
  return ({ cwd, env = {}, ...asked }) =>
    defer(() => {
      const { settings, models, authStorage } = configured(env)
      const localMs = localMsOf(settings) * patience
      return listed({ ...asked, cwd, env, models, authStorage, memory: processKeyMemory, localMs })
    })
}
