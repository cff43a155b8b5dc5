// Lists and reads the settings with their layers, changes the user's file, and runs the doctor.
import { defer, map, of } from 'rxjs'
import { editSetting, settingKeys, settingsFile } from '../../store/index.ts'
import type { SettingKey } from '../../store/index.ts'
import { doctor } from '../doctor/doctor.ts'
import type { DoctorOptions } from '../doctor/doctor.ts'
import { Failure } from '../../streams/values/failure.ts'
import { describeJsonFault } from '../../streams/values/json-fault.ts'
import { didYouMean } from '../../streams/values/nearest-name.ts'
import { trustFolder } from '../trust/trust-folder.ts'
import { currentSetting, readLayers } from './setting-layers.ts'
import type { ConfigFolders, SettingLayers } from './setting-layers.ts'
import type { ConfigBackend, Fields } from '../contract/server-backend.ts'

export type ConfigBackendOptions = DoctorOptions & ConfigFolders

export function createConfigBackend({ folder, ...options }: ConfigBackendOptions): ConfigBackend {
  return {
    ...manageSettings(folder, options.home),
    trustFolder: (command) => trustFolder(command, options.home),
    doctor: (command) => doctor(command, options),
  }
}

/**
 * Each method emits once, or fails with a Failure.
 * @param folder of `settings.json`, absolute, like `home`, `$RXPI_HOME`
 */
export function manageSettings(folder: string, home: string): Omit<ConfigBackend, 'doctor' | 'trustFolder'> {
  const file = settingsFile(folder)
  const layers = (command: Fields<'config_list'>): SettingLayers => readLayers(command, { folder, home })
  return {
    list: (command) =>
      defer(() => {
        const found = layers(command)
        const { project, warnings } = found
        return of({
          file,
          settings: settingKeys().map((known) => currentSetting(known, found)),
          ...(project === undefined ? {} : { project: project.file }),
          ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
        })
      }),
    get: ({ key, ...command }) =>
      defer(() => of({ file, setting: currentSetting(findSettingKey(key), layers(command)) })),
    set: ({ key, value, ...command }) =>
      defer(() => {
        const known = findSettingKey(key)
        return editSetting(folder, key, parseValue(known, value)).pipe(
          map(() => ({ file, setting: currentSetting(known, layers(command)) })),
        )
      }),
  }
}

/** @throws Failure `bad_request` for a text that is no JSON */
function parseValue({ key, isList, isTextOrList, isNumberOrText, isJson }: SettingKey, value: unknown): unknown {
  if (value === null) return undefined
  if (typeof value !== 'string') return value
  if (isNumberOrText === true) return value.trim() === '' || Number.isNaN(Number(value)) ? value : Number(value)
  if (isJson === true) return parseJson(key, value)
  const names = value.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]))
  return isList || (isTextOrList === true && names.length > 1) ? names : value
}

function parseJson(key: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Failure('bad_request', `${key} takes an object as JSON: ${describeJsonFault(text)}; nothing was changed`)
  }
}

/** @throws Failure `bad_request` listing the settings */
function findSettingKey(key: string): SettingKey {
  const keys = settingKeys()
  const known = keys.find((each) => each.key === key)
  if (known !== undefined) return known
  if (/^extensions(?:\.|$)/.test(key)) {
    const message = `${key} belongs to an extension, which declares it: write it into settings.json, as "extensions": { "NAME": … } (docs/extensions.md)`
    throw new Failure('bad_request', message)
  }
  const names = keys.map((each) => each.key)
  const near = didYouMean(key, names) || `; the settings are ${names.join(', ')}`
  throw new Failure('bad_request', `There is no setting "${key}"${near}`)
}
