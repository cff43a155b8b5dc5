// Layers, later wins: the user's settings.json, then the environment; flags come on top by `mergeSettings`. Nothing is read from a project.
import type { Environment } from '../../host/files/paths.ts'
import { rxpiPaths } from '../../host/files/paths.ts'
import type { OpenWarning } from '../../streams/ports/session-log.ts'
import type { ModelsFile, Settings } from '../../streams/config/settings.ts'
import { environmentSettings } from './environment-settings.ts'
import { mergeSettings } from './merge-settings.ts'
import { readModelsFile } from './models-file.ts'
import { readSettingsFile } from './settings-file.ts'

export interface Configuration {
  /** Only what somebody set: defaults belong to those who use a setting. */
  readonly settings: Settings
  readonly models: ModelsFile
  /** `config_writable_by_others`: to be told once, on stderr. */
  readonly warnings: readonly OpenWarning[]
}

export interface ConfigurationOptions {
  readonly env: Environment
  /** Default: `rxpiPaths(env).config`. */
  readonly configFolder?: string
}

/** @throws Failure `bad_config` naming the file or variable, the key and the reason */
export function loadConfiguration({ env, configFolder = rxpiPaths(env).config }: ConfigurationOptions): Configuration {
  const settings = readSettingsFile(configFolder)
  const models = readModelsFile(configFolder)
  return {
    settings: mergeSettings(settings.value, environmentSettings(env)),
    models: models.value,
    warnings: [...settings.warnings, ...models.warnings],
  }
}
