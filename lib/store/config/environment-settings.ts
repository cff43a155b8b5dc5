// Settings from the environment pass the same check as those of a file, one variable at a time, so that an error names the variable.
import type { Environment } from '../../host/files/paths.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { Settings } from '../../streams/config/settings.ts'
import { checkSettings } from '../../streams/validation/validators.ts'
import { mergeSettings } from './merge-settings.ts'
import { settingVariables } from './setting-variables.ts'

/** What the `RXPI_*` variables set (see `settingVariables`). @throws Failure `bad_config` naming variable and reason */
export function environmentSettings(env: Environment): Settings {
  const layers = Object.entries(settingVariables).flatMap(([variable, key]) => {
    const value = env[variable]
    return value === undefined || value === '' ? [] : [layer(variable, key, value)]
  })
  return mergeSettings(...layers)
}

function layer(variable: string, key: string, value: string): Settings {
  const [outer = '', inner] = key.split('.')
  const checked = checkSettings({ [outer]: inner === undefined ? plain(key, value) : { [inner]: number(value) } })
  if (checked.ok) return checked.value
  throw new Failure('bad_config', `The environment variable ${variable} is not valid: ${checked.problem}`, {
    data: { variable, problem: checked.problem },
  })
}

function plain(key: string, value: string): string | string[] {
  if (key !== 'tools' && key !== 'fallbacks') return value
  return value.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]))
}

/** Text that is no number stays text: the schema says what is wanted. */
function number(value: string): number | string {
  return /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : value
}
