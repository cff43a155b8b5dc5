// Commands that open a page: logging in, what was changed, what is set, and the files of the UI read again.
import { join } from 'node:path'
import { readJsonFile, rxpiPaths } from '../../../lib/server/own-files.ts'
import { Failure } from '../../../lib/streams/failure.ts'
import { checkSettings } from '../../../lib/streams/validators.ts'
import { diffPageLines } from '../pages/diff-page-lines.ts'
import { span, spanLines } from '../text/span.ts'
import type { Line } from '../text/span.ts'
import type { Ui } from '../ui.ts'
import { askServer, say, withSession } from './ask-server.ts'
import type { SlashCommand } from './slash-command.ts'

export const pageCommands: readonly SlashCommand[] = [
  {
    name: 'login',
    description: 'give the key of a provider; it is tried, then stored',
    argument: '[provider]',
    run: (ui, provider) => {
      ui.input({ type: 'overlay', overlay: { name: 'login', ...(provider === '' ? {} : { provider }) } })
    },
  },
  {
    name: 'diff',
    description: 'what has changed in the files since this session first changed one',
    isOffered: ({ session }) => session !== undefined,
    run: (ui) => {
      withSession(ui, (session) => {
        askServer(ui, { type: 'get_diff', session }, (result) => {
          if (result.files.length === 0) say(ui, 'Nothing has changed since this session first changed a file')
          else openPage(ui, 'Changes of this session', diffPageLines(result))
        })
      })
    },
  },
  { name: 'settings', aliases: ['config'], description: 'what is set, and where to change it', run: showSettings },
  {
    name: 'reload',
    description: 'read the keys again',
    run: (ui) => {
      const file = ui.keys.load((problem) => {
        say(ui, problem, 'warning')
      })
      say(ui, `The keys are as ${file} says; settings count for sessions that are opened from now on`)
    },
  },
]

function openPage(ui: Ui, title: string, lines: readonly Line[]): void {
  ui.input({ type: 'overlay', overlay: { name: 'page', title, lines } })
}

function showSettings(ui: Ui): void {
  const { config } = rxpiPaths(ui.surroundings.env)
  const { model, thinkingLevel, activeTools } = ui.now()
  const file = join(config, 'settings.json')
  openPage(ui, 'Settings', [
    [span('This session', 'strong')],
    [span('  model      ', 'dim'), span(model), span('  /model', 'dim')],
    [span('  thinking   ', 'dim'), span(thinkingLevel), span('  /thinking', 'dim')],
    [span('  tools      ', 'dim'), span(activeTools.join(', ')), span('  /tools', 'dim')],
    [],
    [span('Sessions that are opened from now on', 'strong'), span(`  ${file}`, 'dim')],
    ...settingsLines(file),
    [],
    [span('Edit these files; settings, models and keys each have one:', 'dim')],
    ...['settings.json', 'models.json', 'keybindings.json'].map((name) => [span(`  ${join(config, name)}`)]),
  ])
}

function settingsLines(file: string): readonly Line[] {
  try {
    const { value } = readJsonFile(file, checkSettings, {})
    if (Object.keys(value).length === 0) return [[span('  nothing is set: the defaults count', 'dim')]]
    return spanLines(JSON.stringify(value, undefined, 2)).map((line) => [span('  '), ...line])
  } catch (error) {
    return [[span(`  ${Failure.from(error).message}`, 'danger')]]
  }
}
