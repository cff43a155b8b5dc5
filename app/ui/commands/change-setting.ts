// Changes a setting in the user's file; applies settings of the screen at once.
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { launchContext } from '../contract/ui.ts'
import { uiSettings } from '../session/ui-settings.ts'
import type { Ui } from '../contract/ui.ts'
import { askServer, notify } from './ask-server.ts'

/** `null` removes the setting. Shows the new value and its source. */
export function changeSetting(ui: Ui, key: string, value: unknown): void {
  askServer(ui, { type: 'config_set', ...launchContext(ui), key, value }, (result) => {
    uiSettings([result.setting]).forEach(ui.input)
    showSetting(ui, result)
  })
}

/** Shows a setting in one line. */
export function showSetting(ui: Ui, { file, setting }: ResultOf<'config_get'>): void {
  const { key, value, from, takes, variable } = setting
  const is = value === undefined ? `is not set (${takes})` : `is ${JSON.stringify(value)}`
  const whence = from === 'environment' ? ` by ${variable ?? 'the environment'}, which overrides` : ' in'
  const since =
    uiSettings([setting]).length > 0 ? 'it applies to this screen' : 'it applies to sessions opened from now on'
  notify(ui, `${key} ${is}${whence} ${file}; ${since}`)
}
