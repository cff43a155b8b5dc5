// Slash commands that change the session's settings: model, thinking, tools; and theme and quit.
import { thinkingLevels } from '../../../lib/streams/models/model.ts'
import { approvalModes } from '../../../lib/streams/ports/policy.ts'
import type { Ui } from '../contract/ui.ts'
import { askServer, notify, withSession, openPicker } from './ask-server.ts'
import { changeSetting } from './change-setting.ts'
import { leaveOrAsk } from './leave.ts'
import type { SlashCommand } from './slash-command.ts'

export const settingCommands: readonly SlashCommand[] = [
  {
    name: 'model',
    aliases: ['models'],
    description: 'choose the model',
    argument: '[provider/id|@role]',
    run: (ui, model) => {
      if (!model.startsWith('@') && !model.includes('/')) openPicker(ui, 'models', model)
      else {
        withSession(ui, (session) => {
          askServer(ui, { type: 'set_model', session, model })
        })
      }
    },
  },
  {
    name: 'thinking',
    description: 'choose the thinking level',
    argument: `[${thinkingLevels.join('|')}]`,
    run: thinking,
  },
  {
    name: 'approve',
    aliases: ['permissions', 'mode'],
    description: 'choose which tool calls ask you',
    argument: `[${approvalModes.join('|')}]`,
    run: approve,
  },
  {
    name: 'tools',
    description: 'choose the active tools',
    argument: '[name,name…]',
    run: (ui, names) => {
      if (names === '') openPicker(ui, 'tools')
      else {
        withSession(ui, (session) => {
          askServer(ui, { type: 'set_active_tools', session, tools: names.split(/[\s,]+/) })
        })
      }
    },
  },
  {
    name: 'trust',
    description: 'show the files of this folder that need your trust, and answer',
    run: (ui) => {
      openPicker(ui, 'trust')
    },
  },
  {
    name: 'mcp',
    description: 'show the MCP servers; test one, read its log, connect it anew',
    argument: '[name]',
    run: (ui, argument) => {
      openPicker(ui, 'mcp', argument)
    },
  },
  {
    name: 'extensions',
    description: 'show the extensions here, and decide which of them run',
    run: (ui) => {
      openPicker(ui, 'extensions')
    },
  },
  {
    name: 'theme',
    description: 'colours for a dark or light background; auto asks the terminal',
    argument: '[dark|light|auto|NAME]',
    run: theme,
  },
  {
    name: 'quit',
    aliases: ['exit'],
    description: 'quit; asks if a run is active',
    run: leaveOrAsk,
  },
]

function approve(ui: Ui, argument: string): void {
  if (argument === '') {
    openPicker(ui, 'approve')
    return
  }
  const mode = approvalModes.find((each) => each === argument)
  if (mode === undefined) {
    notify(ui, `Unknown mode "${argument}"; use one of ${approvalModes.join(', ')}`, 'warning')
    return
  }
  withSession(ui, (session) => {
    askServer(ui, { type: 'set_approval_mode', session, mode })
  })
}

function theme(ui: Ui, argument: string): void {
  const { themes } = ui.now().extensions
  if (themes.some(({ name }) => name === argument)) {
    ui.input({ type: 'extension_theme', name: argument })
    notify(ui, `The theme ${argument} applies to this screen until you leave`)
    return
  }
  if (!['', 'dark', 'light', 'auto'].includes(argument)) {
    notify(
      ui,
      `Unknown theme "${argument}"; use ${['dark', 'light', ...themes.map(({ name }) => name)].join(', ')} or auto`,
      'warning',
    )
    return
  }
  const shown = ui.now().theme ?? ui.background
  changeSetting(ui, 'theme', argument === '' ? (shown === 'light' ? 'dark' : 'light') : argument)
}

function thinking(ui: Ui, argument: string): void {
  if (argument === '') {
    openPicker(ui, 'thinking')
    return
  }
  const thinkingLevel = thinkingLevels.find((level) => level === argument)
  if (thinkingLevel === undefined) {
    notify(ui, `Unknown thinking level "${argument}"; use one of ${thinkingLevels.join(', ')}`, 'warning')
    return
  }
  withSession(ui, (session) => {
    askServer(ui, { type: 'set_thinking_level', session, thinkingLevel })
  })
}
