// Reads the user's configuration of a library session: settings, endpoints, keys, prompt texts.
import { readPromptFiles } from '../../context/index.ts'
import type { PromptFiles } from '../../context/index.ts'
import { rxpiPaths } from '../../host/files/paths.ts'
import type { ResolveModelOptions } from '../../providers/index.ts'
import { fileAuthStorage, loadConfiguration } from '../../store/index.ts'
import type { Configuration } from '../../store/index.ts'
import type { AuthStorage } from '../../streams/ports/auth-storage.ts'
import type { CreateSessionOptions } from './create-session-options.ts'

export type ModelSources = Omit<ResolveModelOptions, 'name' | 'fetch'>

export type UserConfiguration = Pick<Configuration, 'settings' | 'models'> &
  Pick<ModelSources, 'authStorage' | 'getApiKey'> & { readonly promptFiles: PromptFiles }

export function readConfiguration(
  { settings = {}, models = { providers: {} }, configDir, authStorage, getApiKey }: CreateSessionOptions,
  env: Readonly<Record<string, string>>,
): UserConfiguration {
  const keyOptions = {
    ...(authStorage === undefined ? {} : { authStorage }),
    ...(getApiKey === undefined ? {} : { getApiKey }),
  }
  if (settings !== true) return { settings, models, promptFiles: {}, ...keyOptions }
  const read = loadConfiguration({ env, ...(configDir === undefined ? {} : { configFolder: configDir }) })
  const promptFiles = readPromptFiles(configDir ?? rxpiPaths(env).config)
  return { settings: read.settings, models: read.models, promptFiles, authStorage: userKeys(env), ...keyOptions }
}

/** The keychain is loaded when a key of it is needed. */
function userKeys(env: Readonly<Record<string, string>>): AuthStorage {
  return fileAuthStorage({ home: rxpiPaths(env).home })
}

export function definedEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}
