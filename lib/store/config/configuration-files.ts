// Reads the user's settings.json and models.json.
// Guarantees: an unknown key is left out with a warning; any other fault refuses the file.
import path from 'node:path'
import type { ModelsFile, Settings } from '../../streams/config/settings.ts'
import type { OpenWarning } from '../../streams/ports/session-log.ts'
import type { Checked } from '../../streams/schema/compiled-validator.ts'
import { checkWrittenModels, checkWrittenSettings } from '../../streams/validation/file-validators.ts'
import { isRecord, getOwn } from '../../streams/values/json.ts'
import { readJsonFile } from './read-json-file.ts'
import type { JsonFile } from './read-json-file.ts'
import { translateModels } from '../../streams/config/translate-models.ts'
import { reservedSettings } from '../../streams/config/settings.ts'
import { keyPath } from '../../streams/schema/lenient-check.ts'
import type { UnknownKey } from '../../streams/schema/lenient-check.ts'
import { nearestName } from '../../streams/values/nearest-name.ts'

/**
 * `models.json` of the configuration folder; no providers if it is missing. Addresses, headers and keys come from the
 * user's own folder only, never from a project. @throws Failure `bad_config`
 */
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

/**
 * `settings.json` of the configuration folder: the user's own settings. Those of a project are read only after a person
 * trusted its folder.
 */
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

/** Its content unchecked, with unknown keys and invalid values; empty if it is missing. @throws Failure `bad_config` */
export function readWrittenSettings(configFolder: string): Readonly<Record<string, unknown>> {
  const file = settingsFile(configFolder)
  const check = (written: unknown): Checked<Readonly<Record<string, unknown>>> =>
    isRecord(written) ? { ok: true, value: written } : { ok: false, problem: 'the value must be an object' }
  return readJsonFile(file, check, {}).value
}

export interface CheckedSettings extends Pick<SettingsFile, 'written' | 'warnings'> {
  readonly settings: Settings
}

/** Checks the content of a `settings.json`, of the user or of a project. */
export function checkSettingsFile(file: string, written: unknown): Checked<CheckedSettings> {
  const checked = checkWrittenSettings(written)
  if (!checked.ok) return checked
  const { value: settings, unknown } = checked.value
  const content = isRecord(written) ? written : {}
  const warnings = [...settingWarnings(file, unknown, content), ...twoModels(file, settings)]
  return { ok: true, value: { settings, written: content, warnings } }
}

function twoModels(file: string, { model, models }: Settings): OpenWarning[] {
  if (model === undefined || models?.default === undefined) return []
  return [warningOf(file, 'config_without_effect', `${file}: model has no effect beside models.default`)]
}

// Warnings about keys of settings.json and models.json that have no effect.

/** At most so many warnings of one file name a key; one more counts the rest. */
export const maxNamed = 5

/** Keys of pi's settings.json under another name here. */
const piSettings: Readonly<Record<string, string>> = {
  defaultModel: 'model',
  defaultProvider: 'model',
  defaultThinkingLevel: 'thinkingLevel',
  defaultTools: 'tools',
  httpIdleTimeoutMs: 'limits.idleMs',
}

/** Warns of each unknown key: `config_unknown_key`, with the nearest known key. */
function unknownKeyWarnings(file: string, unknown: readonly UnknownKey[]): OpenWarning[] {
  const named = unknown
    .slice(0, maxNamed)
    .map((found) => warningOf(file, 'config_unknown_key', describeUnknownKey(file, found)))
  const more = unknown.length - named.length
  if (more === 0) return named
  return [...named, warningOf(file, 'config_unknown_key', `${file}: ${more} more keys are unknown and have no effect`)]
}

function describeUnknownKey(file: string, { path: outer, key, near }: UnknownKey): string {
  const where = keyPath([...outer, key])
  const isProvider = path.basename(file) === 'models.json' && outer.length === 1 && outer[0] === 'providers'
  if (isProvider)
    return `${file}: ${where} is left out: the name of a provider has lower-case letters, digits and . _ - only`
  const proposed = near === undefined ? '' : `. Did you mean ${keyPath([...outer, near])}?`
  return `${file}: the key ${where} is unknown and has no effect${proposed}`
}

/** Warns of fields that rxpi knows from pi but cannot honour: one warning a file, `config_without_effect`. */
function withoutEffectWarnings(file: string, fields: readonly string[]): OpenWarning[] {
  if (fields.length === 0) return []
  const more = fields.length > maxNamed ? ` and ${fields.length - maxNamed} more` : ''
  const message = `${file}: rxpi has no counterpart for ${fields.slice(0, maxNamed).join(', ')}${more}`
  return [warningOf(file, 'config_without_effect', message)]
}

/**
 * Warns of settings that have no effect: those of later versions (`config_reserved_key`) and unknown ones.
 * @param written the content of the file
 */
function settingWarnings(
  file: string,
  unknown: readonly UnknownKey[],
  written: Readonly<Record<string, unknown>>,
): OpenWarning[] {
  const isReserved = ({ path: outer, key }: UnknownKey): boolean =>
    outer.length === 0 && Object.hasOwn(reservedSettings, key)
  const reserved = unknown.filter(isReserved)
  const others = unknown.filter((found) => !isReserved(found)).map(withPiName)
  const inside = reserved.flatMap(({ key }) => unknownKeysInside(key, written[key]))
  return [
    ...reserved.map(({ key }) => warningOf(file, 'config_reserved_key', describeReservedKey(file, key))),
    ...unknownKeyWarnings(file, [...others, ...inside]),
  ]
}

function describeReservedKey(file: string, key: string): string {
  return `${file}: ${key} is a name for a later version of rxpi; this version has no such setting, so it has no effect`
}

function withPiName(found: UnknownKey): UnknownKey {
  const near = found.path.length === 0 ? getOwn(piSettings, found.key) : undefined
  return near === undefined ? found : { ...found, near }
}

function unknownKeysInside(name: string, value: unknown): UnknownKey[] {
  const known = getOwn(reservedSettings, name) ?? []
  if (known.length === 0 || !isRecord(value)) return []
  return Object.keys(value)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const near = nearestName(key, known)
      return { path: [name], key, ...(near === undefined ? {} : { near }) }
    })
}

function warningOf(file: string, code: string, message: string): OpenWarning {
  return { code, message, context: { file } }
}
