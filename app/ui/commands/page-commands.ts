// Slash commands that open a page or read files again: login, diff, settings, reload.
import { dirname, join } from 'node:path'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { diffPageLines } from '../transcript/diff-lines.ts'
import { span } from '../text/span.ts'
import type { Line } from '../text/span.ts'
import { launchContext } from '../contract/ui.ts'
import { uiSettings } from '../session/ui-settings.ts'
import type { Ui } from '../contract/ui.ts'
import { askServer, notify, withSession } from './ask-server.ts'
import { changeSetting, showSetting } from './change-setting.ts'
import type { SlashCommand } from './slash-command.ts'

export const pageCommands: readonly SlashCommand[] = [
  {
    name: 'login',
    description: 'sign in to a plan, or store the key of a provider',
    argument: '[provider] [host]',
    run: (ui, provider) => {
      ui.input({ type: 'overlay', overlay: { name: 'login', ...(provider === '' ? {} : { provider }) } })
    },
  },
  {
    name: 'diff',
    description: 'show all file changes since the first change of this session',
    isOffered: ({ session }) => session !== undefined,
    run: (ui) => {
      withSession(ui, (session) => {
        askServer(ui, { type: 'get_diff', session }, (result) => {
          if (result.files.length === 0) notify(ui, 'No file has changed since the first change of this session')
          else openPage(ui, 'Changes of this session', diffPageLines(result))
        })
      })
    },
  },
  {
    name: 'settings',
    aliases: ['config'],
    description: 'show the settings, or change one for new sessions',
    argument: '[key] [value]',
    run: settings,
  },
  {
    name: 'reload',
    description: 'load the extensions anew, and read the keys and the settings of this screen',
    run: (ui) => {
      reloadExtensions(ui)
      const file = ui.keys.load((problem) => {
        notify(ui, problem, 'warning')
      })
      askServer(ui, { type: 'config_list', ...launchContext(ui) }, ({ settings }) => {
        uiSettings(settings).forEach(ui.input)
        notify(ui, `Reloaded the keys from ${file}; other settings apply to sessions opened from now on`)
      })
    },
  },
]

/** Of the session that is shown. */
function reloadExtensions(ui: Ui): void {
  const { session } = ui.now()
  if (session === undefined) return
  askServer(ui, { type: 'reload', session: session.id }, ({ extensions }) => {
    if (extensions.length > 0) notify(ui, `Loaded anew: ${extensions.join(', ')}`)
  })
}

function openPage(ui: Ui, title: string, lines: readonly Line[]): void {
  ui.input({ type: 'overlay', overlay: { name: 'page', title, lines } })
}

function settings(ui: Ui, argument: string): void {
  const context = launchContext(ui)
  const [key = '', ...rest] = argument.split(/\s+/)
  const value = rest.join(' ')
  if (key === '') askServer(ui, { type: 'config_list', ...context }, (result) => showSettings(ui, result))
  else if (value === '') askServer(ui, { type: 'config_get', ...context, key }, (result) => showSetting(ui, result))
  else changeSetting(ui, key, valueOf(value))
}

/** Parses the value as JSON if it is JSON; null removes the setting. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function showSettings(ui: Ui, { file, settings }: ResultOf<'config_list'>): void {
  const { model, thinkingLevel, approvalMode, activeTools } = ui.now()
  const folder = dirname(file)
  openPage(ui, 'Settings', [
    [span('This session', 'strong')],
    [span('  model      ', 'dim'), span(model), span('  /model', 'dim')],
    [span('  thinking   ', 'dim'), span(thinkingLevel), span('  /thinking', 'dim')],
    [span('  asks       ', 'dim'), span(approvalMode ?? ''), span('  /approve', 'dim')],
    [span('  tools      ', 'dim'), span(activeTools.join(', ')), span('  /tools', 'dim')],
    [],
    [span('Sessions opened from now on', 'strong'), span('  /settings KEY VALUE sets one, null unsets it', 'dim')],
    ...settings.map(settingLine),
    [],
    [span('Your settings files:', 'dim')],
    ...['settings.json', 'models.json', 'keybindings.json'].map((name) => [span(`  ${join(folder, name)}`)]),
  ])
}

/** Width of the column of keys, in cells. */
const keyColumn = 20

function settingLine({ key, value, from, takes }: ResultOf<'config_get'>['setting']): Line {
  const name = span(`  ${key.padEnd(keyColumn)}`)
  if (value === undefined) return [name, span(`  ${takes}`, 'dim')]
  return [name, span(`  ${JSON.stringify(value)}`, 'accent'), span(`  from the ${from ?? 'file'}`, 'dim')]
}
