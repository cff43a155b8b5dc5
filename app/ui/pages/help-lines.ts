// Formats the help page: the offered commands and the user's keys.
import { actionNames, actions } from '../keys/actions.ts'
import type { ActionGroup } from '../keys/actions.ts'
import { describeClash, keysOf } from '../keys/keymap.ts'
import type { Keymap } from '../keys/keymap.ts'
import type { SlashCommand } from '../commands/slash-command.ts'
import { cellWidth } from '../text/cell-width.ts'
import { span } from '../text/span.ts'
import type { Line } from '../text/span.ts'

export interface HelpContent {
  readonly commands: readonly SlashCommand[]
  readonly keymap: Keymap
}

/** One line a command and an action, then the clashes of keys. */
export function helpLines({ commands, keymap }: HelpContent): readonly Line[] {
  const clashes = keymap.clashes.map((clash) => [span('  '), span(describeClash(clash), 'warning')])
  return [
    [span('Commands', 'strong')],
    ...commandLines(commands),
    [],
    [span('! runs a shell command and shows it to the model, !! hides it from the model', 'dim')],
    [span('@ completes a path and sends the file with your prompt. Pasting the path of an image attaches it', 'dim')],
    [span('(a terminal cannot pass on an image of the clipboard: save it, then paste its path)', 'dim')],
    [],
    [span('Keys', 'strong')],
    ...keyLines('main', keymap),
    [],
    [span('In lists', 'strong')],
    ...keyLines('list', keymap),
    [],
    ...(clashes.length === 0 ? [] : [[span('Clashes', 'strong')], ...clashes, []]),
    [
      span(
        'keybindings.json beside settings.json changes the keys of an action: {"externalEditor": "ctrl+x"}; /reload reads it',
        'dim',
      ),
    ],
  ]
}

function commandLines(commands: readonly SlashCommand[]): Line[] {
  return columns(
    commands.map(({ name, argument, aliases = [], description }) => ({
      left: argument === undefined ? `/${name}` : `/${name} ${argument}`,
      right: aliases.length === 0 ? description : `${description} (${aliases.map((alias) => `/${alias}`).join(', ')})`,
    })),
  )
}

function keyLines(group: ActionGroup, keymap: Keymap): Line[] {
  return columns(
    actionNames
      .filter((name) => actions[name].group === group)
      .map((name) => {
        const keys = keysOf(keymap, name)
        return { left: keys.length === 0 ? 'no key' : keys.join(', '), right: `${actions[name].description} · ${name}` }
      }),
  )
}

/** Width of the left column in cells; a longer text shifts its right side. */
const leftColumn = 26

function columns(rows: readonly { readonly left: string; readonly right: string }[]): Line[] {
  return rows.map(({ left, right }) => {
    const gap = ' '.repeat(Math.max(1, leftColumn - cellWidth(left)))
    return [span('  '), span(left, 'accent'), span(gap), span(right)]
  })
}
