// The user's files and the client's environment say which models can be named, and which of them can be asked now.
import { defer } from 'rxjs'
import { listModels, processKeyMemory } from '../../providers/index.ts'
import { localMsOf } from './configured-model.ts'
import type { UserConfiguration } from './configured-model.ts'
import type { ModelsBackend } from '../contract/server-backend.ts'

/** Where somebody reads a list, an endpoint may take longer than where a run waits for it. */
const patience = 3

/** @param configured the user's files, for a client with this environment */
export function createModelsBackend(
  configured: (env: Readonly<Record<string, string>>) => UserConfiguration,
): ModelsBackend {
  return {
    list: ({ cwd, env = {}, ...filter }) =>
      defer(() => {
        const { settings, models, authStorage } = configured(env)
        const localMs = localMsOf(settings) * patience
        return listModels({ ...filter, cwd, env, models, authStorage, memory: processKeyMemory, localMs })
      }),
  }
}
