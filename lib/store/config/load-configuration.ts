// Loads the user's settings.json, tightened by a trusted project, overridden by the environment.
// Guarantees: no file of a project is read here. Flags are merged last, by `mergeSettings`.
import type { Environment } from '../../host/files/paths.ts'
import { rxpiPaths } from '../../host/files/paths.ts'
import type { OpenWarning } from '../../streams/ports/session-log.ts'
import type { ModelsFile, Settings } from '../../streams/config/settings.ts'
import { checkSettings } from '../../streams/validation/validators.ts'
import { Failure } from '../../streams/values/failure.ts'
import { settingVariables } from './setting-keys.ts'
import { readModelsFile, readSettingsFile } from './configuration-files.ts'
import { mergeProject, readProjectLayer, withoutUsualModel } from './project-layer.ts'
import type { ProjectLayer, TrustedProject } from './project-layer.ts'
import type { TighteningFacts } from './tightening.ts'

export interface Configuration {
  /** Only configured values; each consumer applies its own defaults. */
  readonly settings: Settings
  readonly models: ModelsFile
  /** The layer of the trusted project. */
  readonly project?: ProjectLayer
  /** About the files: other users can write one, or keys have no effect. To print once, on stderr. */
  readonly warnings: readonly OpenWarning[]
}

export interface ConfigurationOptions {
  readonly env: Environment
  /** Default: `rxpiPaths(env).config`. */
  readonly configFolder?: string
  /** The project that a person trusts. Default: none. */
  readonly project?: ProjectSource | undefined
}

export interface ProjectSource extends TrustedProject {
  readonly usualTools: TighteningFacts['usualTools']
  /** False for a model that no endpoint serves. */
  isKnownModel(name: string, models: ModelsFile): boolean
}

/** @throws Failure `bad_config` naming the file or variable, the key and the reason */
export function loadConfiguration({
  env,
  configFolder = rxpiPaths(env).config,
  project,
}: ConfigurationOptions): Configuration {
  const settings = readSettingsFile(configFolder)
  const models = readModelsFile(configFolder)
  const warnings = [...settings.warnings, ...models.warnings]
  const ofEnvironment = environmentSettings(env)
  if (project === undefined)
    return { settings: mergeSettings(settings.value, ofEnvironment), models: models.value, warnings }
  const layer = readProjectLayer(project, settings.value, {
    usualTools: project.usualTools,
    isKnownModel: (name) => project.isKnownModel(name, models.value),
  })
  return {
    settings: mergeSettings(mergeProject(settings.value, layer), ofEnvironment),
    models: models.value,
    project: layer,
    warnings: [...warnings, ...layer.warnings],
  }
}

/**
 * Merges the layers; the last one has the highest priority. A layer overrides single keys, and its `limits` only the
 * limits that it names.
 */
export function mergeSettings(...layers: readonly Settings[]): Settings {
  return layers.reduce((below, above) => {
    const limits = { ...below.limits, ...above.limits }
    const bash = { ...below.bash, ...above.bash }
    const sandbox = { ...below.sandbox, ...above.sandbox }
    return {
      ...withoutUsualModel(below, above),
      ...above,
      ...(Object.keys(limits).length === 0 ? {} : { limits }),
      ...(Object.keys(bash).length === 0 ? {} : { bash }),
      ...(Object.keys(sandbox).length === 0 ? {} : { sandbox }),
      ...(above.models === undefined ? {} : { models: { ...below.models, ...above.models } }),
    }
  }, {})
}

// Checks each environment variable alone, by the schema of the file, so that an error names the variable.

/**
 * The settings of the `RXPI_*` variables (see `settingVariables`). @throws Failure `bad_config` naming variable and
 * reason
 */
export function environmentSettings(env: Environment): Settings {
  const layers = Object.entries(settingVariables).flatMap(([variable, key]) => {
    const value = env[variable]
    return value === undefined || value === '' ? [] : [parseVariable(variable, key, value)]
  })
  return mergeSettings(...layers)
}

function parseVariable(variable: string, key: string, value: string): Settings {
  const [outer = '', inner] = key.split('.')
  const checked = checkSettings({
    [outer]: inner === undefined ? parseText(key, value) : { [inner]: parseNumber(value) },
  })
  if (checked.ok) return checked.value
  throw new Failure('bad_config', `The environment variable ${variable} is not valid: ${checked.problem}`, {
    data: { variable, problem: checked.problem },
  })
}

function parseText(key: string, value: string): string | string[] {
  if (key !== 'tools' && key !== 'fallbacks') return value
  return value.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]))
}

/** Text that is not a number stays text: the schema then reports the expected type. */
function parseNumber(value: string): number | string {
  return /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : value
}
