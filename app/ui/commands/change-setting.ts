// A setting is changed in the user's file; what is about this screen counts here at once, all else where sessions are opened.
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { launchContext } from '../contract/ui.ts'
import { uiSettings } from '../session/ui-settings.ts'
import type { Ui } from '../contract/ui.ts'
import { askServer, notify } from './ask-server.ts'

/** `null` takes it out of the file. What it is then is told, and where that comes from. */
export function changeSetting(ui: Ui, key: string, value: unknown): void {
  askServer(ui, { type: 'config_set', ...launchContext(ui), key, value }, (result) => {
    uiSettings([result.setting]).forEach(ui.input)
    showSetting(ui, result)
  })
}

/** One line about it. */
export function showSetting(ui: Ui, { file, setting }: ResultOf<'config_get'>): void {
  const { key, value, from, takes, variable } = setting
  const is = value === undefined ? `is not set (${takes})` : `is ${JSON.stringify(value)}`
  const whence = from === 'environment' ? ` by ${variable ?? 'the environment'}, which goes before` : ' in'
  const since =
    uiSettings([setting]).length > 0 ? 'this screen follows it' : 'it counts for sessions that are opened from now on'
  notify(ui, `${key} ${is}${whence} ${file}; ${since}`)
}
