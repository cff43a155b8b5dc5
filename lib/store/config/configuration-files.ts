// Reads the user's settings.json and models.json.
// Guarantees: an unknown key is left out with a warning; any other fault refuses the file.
import path from 'node:path'
import type { ModelsFile, Settings } from '../../streams/config/settings.ts'
import type { OpenWarning } from '../../streams/ports/session-log.ts'
import type { Checked } from '../../streams/schema/compiled-validator.ts'
import { checkWrittenModels, checkWrittenSettings } from '../../streams/validation/file-validators.ts'
import { isRecord } from '../../streams/values/json.ts'
import { settingWarnings, unknownKeyWarnings, withoutEffectWarnings } from './key-warnings.ts'
import { readJsonFile } from './read-json-file.ts'
import type { JsonFile } from './read-json-file.ts'
import { translateModels } from './translate-models.ts'

// Addresses, headers and keys come from the user's own folder only, never from a project.

/** `models.json` of the configuration folder; no providers if it is missing. @throws Failure `bad_config` */
export function readModelsFile(configFolder: string): JsonFile<ModelsFile> {
  const file = path.join(configFolder, 'models.json')
  const missing = { models: { providers: {} }, warnings: [] as readonly OpenWarning[] }
  const { value, warnings } = readJsonFile(file, (written) => checkModels(file, written), missing)
  return { value: value.models, warnings: [...warnings, ...value.warnings] }
}

interface CheckedModels {
  readonly models: ModelsFile
  readonly warnings: readonly OpenWarning[]
}

function checkModels(file: string, written: unknown): Checked<CheckedModels> {
  const checked = checkWrittenModels(written)
  if (!checked.ok) return checked
  const { models, withoutEffect } = translateModels(checked.value.value)
  const warnings = [...unknownKeyWarnings(file, checked.value.unknown), ...withoutEffectWarnings(file, withoutEffect)]
  return { ok: true, value: { models, warnings } }
}

// The user's own settings; project settings are read only after a person trusted the folder.

/** `settings.json` of the configuration folder. */
export function settingsFile(configFolder: string): string {
  return path.join(configFolder, 'settings.json')
}

export interface SettingsFile extends JsonFile<Settings> {
  /** The content with its unknown keys. */
  readonly written: Readonly<Record<string, unknown>>
}

/** Its content; empty if it is missing. @throws Failure `bad_config` */
export function readSettingsFile(configFolder: string): SettingsFile {
  const file = settingsFile(configFolder)
  const missing = { settings: {}, written: {}, warnings: [] }
  const { value, warnings } = readJsonFile(file, (written) => checkSettingsFile(file, written), missing)
  return { value: value.settings, written: value.written, warnings: [...warnings, ...value.warnings] }
}

interface CheckedSettings extends Pick<SettingsFile, 'written' | 'warnings'> {
  readonly settings: Settings
}

function checkSettingsFile(file: string, written: unknown): Checked<CheckedSettings> {
  const checked = checkWrittenSettings(written)
  if (!checked.ok) return checked
  const { value: settings, unknown } = checked.value
  const content = isRecord(written) ? written : {}
  return { ok: true, value: { settings, written: content, warnings: settingWarnings(file, unknown, content) } }
}
