// Words the warnings about keys of settings.json and models.json that have no effect.
import path from 'node:path'
import { reservedSettings } from '../../streams/config/settings.ts'
import type { OpenWarning } from '../../streams/ports/session-log.ts'
import { keyPath } from '../../streams/schema/lenient-check.ts'
import type { UnknownKey } from '../../streams/schema/lenient-check.ts'
import { getOwn, isRecord } from '../../streams/values/json.ts'
import { nearestName } from '../../streams/values/nearest-name.ts'

/** Warnings of one file that name a key; the rest is counted. */
const maxNamed = 5

/** Keys of pi's settings.json under another name here. */
const piSettings: Readonly<Record<string, string>> = {
  defaultModel: 'model',
  defaultProvider: 'model',
  defaultThinkingLevel: 'thinkingLevel',
  defaultTools: 'tools',
  httpIdleTimeoutMs: 'limits.idleMs',
}

/** Warns of each unknown key: `config_unknown_key`, with the nearest known key. */
export function unknownKeyWarnings(file: string, unknown: readonly UnknownKey[]): OpenWarning[] {
  const named = unknown
    .slice(0, maxNamed)
    .map((found) => warningOf(file, 'config_unknown_key', unknownKey(file, found)))
  const more = unknown.length - named.length
  if (more === 0) return named
  return [...named, warningOf(file, 'config_unknown_key', `${file}: ${more} more keys are unknown and have no effect`)]
}

function unknownKey(file: string, { path: outer, key, near }: UnknownKey): string {
  const where = keyPath([...outer, key])
  const isProvider = path.basename(file) === 'models.json' && outer.length === 1 && outer[0] === 'providers'
  if (isProvider)
    return `${file}: ${where} is left out: the name of a provider has lower-case letters, digits and . _ - only`
  const proposed = near === undefined ? '' : `. Did you mean ${keyPath([...outer, near])}?`
  return `${file}: the key ${where} is unknown and has no effect${proposed}`
}

/** Warns of fields that rxpi knows from pi but cannot honour: one warning a file, `config_without_effect`. */
export function withoutEffectWarnings(file: string, fields: readonly string[]): OpenWarning[] {
  if (fields.length === 0) return []
  const more = fields.length > maxNamed ? ` and ${fields.length - maxNamed} more` : ''
  const message = `${file}: rxpi has no counterpart for ${fields.slice(0, maxNamed).join(', ')}${more}`
  return [warningOf(file, 'config_without_effect', message)]
}

/**
 * Warns of settings that have no effect: those of later versions (`config_reserved_key`) and unknown ones.
 * @param written the content of the file
 */
export function settingWarnings(
  file: string,
  unknown: readonly UnknownKey[],
  written: Readonly<Record<string, unknown>>,
): OpenWarning[] {
  const isReserved = ({ path: outer, key }: UnknownKey): boolean =>
    outer.length === 0 && Object.hasOwn(reservedSettings, key)
  const reserved = unknown.filter(isReserved)
  const others = unknown.filter((found) => !isReserved(found)).map(withPiName)
  const inside = reserved.flatMap(({ key }) => unknownInside(key, written[key]))
  return [
    ...reserved.map(({ key }) => warningOf(file, 'config_reserved_key', reservedKey(file, key))),
    ...unknownKeyWarnings(file, [...others, ...inside]),
  ]
}

function reservedKey(file: string, key: string): string {
  return `${file}: ${key} is a name for a later version of rxpi; this version has no such setting, so it has no effect`
}

function withPiName(found: UnknownKey): UnknownKey {
  const near = found.path.length === 0 ? getOwn(piSettings, found.key) : undefined
  return near === undefined ? found : { ...found, near }
}

function unknownInside(name: string, value: unknown): UnknownKey[] {
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
