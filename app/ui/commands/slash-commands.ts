// Holds the table of slash commands and runs a command by name.
import type { ExtensionCommandName } from '../../../lib/streams/commands/extension-ui-commands.ts'
import { didYouMean } from '../../../lib/streams/values/nearest-name.ts'
import { terminalSafe } from '../../process/terminal-safe.ts'
import type { Ui } from '../contract/ui.ts'
import type { View } from '../view/view.ts'
import { notify } from './ask-server.ts'
import { commandForForeignName } from './foreign-names.ts'
import { pageCommands } from './page-commands.ts'
import { scenarioCommands } from './scenario-commands.ts'
import { screenCommands } from './screen-commands.ts'
import { sessionCommands } from './session-commands.ts'
import { settingCommands } from './setting-commands.ts'
import type { SlashCommand } from './slash-command.ts'

const help: SlashCommand = {
  name: 'help',
  aliases: ['keys'],
  description: 'commands and keys',
  run: (ui) => {
    ui.input({ type: 'overlay', overlay: { name: 'help' } })
  },
}

/** The commands that people use most, in this order; the others follow. */
const byUse = [
  'model',
  'undo',
  'diff',
  'tree',
  'resume',
  'plan',
  'new',
  'copy',
  'help',
  'login',
  'thinking',
  'quit',
  'export',
]

/** By use, in the order of the help and of the completion. */
export const slashCommands: readonly SlashCommand[] = [
  help,
  ...pageCommands,
  ...settingCommands,
  ...scenarioCommands,
  ...sessionCommands,
  ...screenCommands,
].sort((one, other) => rankOf(one) - rankOf(other))

function rankOf({ name }: SlashCommand): number {
  const rank = byUse.indexOf(name)
  return rank === -1 ? byUse.length : rank
}

/** The commands that are offered now. */
export function offeredCommands(view: View): readonly SlashCommand[] {
  return slashCommands.filter((command) => command.isOffered?.(view) !== false)
}

/** One sentence for each command of an extension whose name the UI uses itself. */
export function hiddenCommands(commands: readonly ExtensionCommandName[]): readonly string[] {
  const own = new Set(slashCommands.flatMap(({ name, aliases = [] }) => [name, ...aliases]))
  return commands
    .filter(({ name }) => own.has(name))
    .map(({ name, extension }) =>
      terminalSafe(`/${name} of the extension ${extension} is not used: it is a command of this UI`),
    )
}

/** Whether the UI itself offers the command now. */
export function isOwnCommand(ui: Ui, name: string): boolean {
  return offeredCommands(ui.now()).some((known) => known.name === name || known.aliases?.includes(name) === true)
}

/** Whether the command with this argument is a prompt, which the session's server expands. */
export function isPromptCommand(name: string, argument: string): boolean {
  return slashCommands.some((known) => known.name === name && known.isPrompt?.(argument.trim()) === true)
}

/** Returns false if the command does not exist; shows a notice, and the text stays in the editor. */
export function runSlashCommand(ui: Ui, name: string, argument: string): boolean {
  const command = offeredCommands(ui.now()).find((known) => known.name === name || known.aliases?.includes(name))
  if (command === undefined) {
    const hint = 'A space before the slash sends it to the model'
    ui.input({ type: 'notice', level: 'warning', text: `There is no command /${name}${adviceFor(ui, name)}`, hint })
    return false
  }
  if (argument.trim() !== '' && command.argument === undefined) {
    notify(ui, `/${command.name} takes no argument`, 'warning')
    return false
  }
  command.run(ui, argument.trim())
  return true
}

/** Suggests a command for a name that no command has. */
function adviceFor(ui: Ui, name: string): string {
  const offered = offeredCommands(ui.now())
  const own = offered.find((each) => each.name === commandForForeignName(name))
  if (own !== undefined) return `; /${own.name}: ${own.description}`
  const names = offered.flatMap((each) => [each.name, ...(each.aliases ?? [])])
  return didYouMean(name, names, (each) => `/${each}`) || '; /help lists all commands'
}
