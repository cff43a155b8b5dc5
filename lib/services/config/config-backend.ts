// Lists, reads and changes the settings of the user's file, and runs the doctor.
import { defer, map, of } from 'rxjs'
import {
  editSetting,
  environmentSettings,
  readSettingsFile,
  settingAt,
  settingKeys,
  settingsFile,
} from '../../store/index.ts'
import type { SettingKey } from '../../store/index.ts'
import type { Setting } from '../../streams/commands/config-commands.ts'
import { doctor } from '../doctor/doctor.ts'
import type { DoctorOptions } from '../doctor/doctor.ts'
import { Failure } from '../../streams/values/failure.ts'
import { didYouMean } from '../../streams/values/nearest-name.ts'
import { trustFolder } from '../trust/trust-folder.ts'
import type { ConfigBackend } from '../contract/server-backend.ts'

export interface ConfigBackendOptions extends DoctorOptions {
  /** The folder of `settings.json`, absolute. */
  readonly folder: string
  /** `$RXPI_HOME`. */
  readonly home: string
}

export function createConfigBackend({ folder, ...options }: ConfigBackendOptions): ConfigBackend {
  return {
    ...manageSettings(folder),
    trustFolder: (command) => trustFolder(command, options.home),
    doctor: (command) => doctor(command, options),
  }
}

/** Each method emits once, or fails with a Failure. @param folder the folder of `settings.json`, absolute */
export function manageSettings(folder: string): Omit<ConfigBackend, 'doctor' | 'trustFolder'> {
  const file = settingsFile(folder)
  const now = (known: SettingKey, env: Readonly<Record<string, string>>): Setting =>
    currentSetting(known, readSettingsFile(folder).value, env)
  return {
    list: ({ env = {} }) =>
      defer(() => {
        const { value } = readSettingsFile(folder)
        return of({ file, settings: settingKeys().map((known) => currentSetting(known, value, env)) })
      }),
    get: ({ key, env = {} }) => defer(() => of({ file, setting: now(findSettingKey(key), env) })),
    set: ({ key, value, env = {} }) =>
      defer(() => {
        const known = findSettingKey(key)
        return editSetting(folder, key, parseValue(known, value)).pipe(
          map((inFile) => ({ file, setting: currentSetting(known, inFile, env) })),
        )
      }),
  }
}

function currentSetting(
  { key, takes, variable }: SettingKey,
  inFile: Parameters<typeof settingAt>[0],
  env: Readonly<Record<string, string>>,
): Setting {
  const own = { key, takes, ...(variable === undefined ? {} : { variable }) }
  const named = settingAt(environmentSettings(env), key)
  if (named !== undefined) return { ...own, value: named, from: 'environment' }
  const written = settingAt(inFile, key)
  return written === undefined ? own : { ...own, value: written, from: 'file' }
}

function parseValue({ isList }: SettingKey, value: unknown): unknown {
  if (value === null) return undefined
  if (!isList || typeof value !== 'string') return value
  return value.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]))
}

/** @throws Failure `bad_request` listing the settings */
function findSettingKey(key: string): SettingKey {
  const keys = settingKeys()
  const known = keys.find((each) => each.key === key)
  if (known !== undefined) return known
  const names = keys.map((each) => each.key)
  const near = didYouMean(key, names) || `; the settings are ${names.join(', ')}`
  throw new Failure('bad_request', `There is no setting "${key}"${near}`)
}
