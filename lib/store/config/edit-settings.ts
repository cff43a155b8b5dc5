// Changes one key of the user's settings.json.
// Guarantees: other keys stay, also unknown ones; no change leaves an invalid file.
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { defer, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { replacePrivateFile } from '../../host/files/replace-file.ts'
import { realTarget } from '../../host/files/resolve-path.ts'
import { storageFailure } from '../../host/files/storage-failure.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { Settings } from '../../streams/config/settings.ts'
import { checkWrittenSettings } from '../../streams/validation/file-validators.ts'
import { readWrittenSettings, settingsFile } from './configuration-files.ts'
import { badConfig, dottedPath } from './read-json-file.ts'
import { withFileLock } from '../locks/with-file-lock.ts'
import { getOwn, isRecord } from '../../streams/values/json.ts'

/**
 * Sets a key, or removes it (`undefined`), while no other process changes the file; concurrent changes of different
 * keys are both kept. If the file is a link, its target is replaced.
 * @param key of `settingKeys`
 * @returns emits the new content of the file and completes; fails with a Failure: `bad_request` if the value is invalid
 * for this key, `bad_config` if another part of the file is invalid, `storage`
 */
export function editSetting(configFolder: string, key: string, value: unknown): Observable<Settings> {
  return defer(() => {
    checkChange(configFolder, key, value) // a refused change leaves no folder and no lock behind
    const file = realTarget(settingsFile(configFolder))
    ensureFolder(path.dirname(file))
    return withFileLock(file, () => {
      const { settings, written } = checkChange(configFolder, key, value)
      replacePrivateFile(file, `${JSON.stringify(written, undefined, 2)}\n`)
      return of(settings)
    })
  })
}

/** The value of a key. */
export function settingAt(settings: Settings, key: string): unknown {
  return key.split('.').reduce<unknown>((value, name) => (isRecord(value) ? getOwn(value, name) : undefined), settings)
}

/** The settings with another value of a key. */
export function withSetting(settings: Settings, key: string, value: unknown): Settings {
  return withChange(settings, key, value)
}

function ensureFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (thrown) {
    throw storageFailure(`make the folder ${folder}`, thrown)
  }
}

interface ChangedSettings {
  readonly settings: Settings
  readonly written: Readonly<Record<string, unknown>>
}

function checkChange(configFolder: string, key: string, value: unknown): ChangedSettings {
  const before = readWrittenSettings(configFolder)
  const written = withChange(before, key, value)
  const checked = checkWrittenSettings(written)
  if (checked.ok) return { settings: checked.value.value, written }
  const others = checkWrittenSettings(withChange(before, key, undefined))
  if (!others.ok) throw badConfig(settingsFile(configFolder), others.problem)
  const problem = dottedPath(checked.problem)
  const words = problem.startsWith(`${key} `) ? `it${problem.slice(key.length)}` : problem
  throw new Failure('bad_request', `${key} cannot have this value: ${words}; nothing was changed`)
}

function withChange(settings: Readonly<Record<string, unknown>>, key: string, value: unknown): Record<string, unknown> {
  const [outer = '', ...inner] = key.split('.')
  const { [outer]: old, ...rest } = settings
  if (inner.length === 0) return value === undefined ? rest : { ...settings, [outer]: value }
  const next = withChange(isRecord(old) ? old : {}, inner.join('.'), value)
  return Object.keys(next).length === 0 ? rest : { ...settings, [outer]: next }
}
