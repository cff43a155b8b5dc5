// Formats the help page: the offered commands and the user's keys.
import { actionNames, actions } from '../keys/actions.ts'
import type { ActionGroup } from '../keys/actions.ts'
import { describeClash, keysOf } from '../keys/keymap.ts'
import type { Keymap } from '../keys/keymap.ts'
import type { SlashCommand } from '../commands/slash-command.ts'
import { cellWidth } from '../text/cell-width.ts'
import { span } from '../text/span.ts'
import type { Line, Span } from '../text/span.ts'
import { wrapLine } from '../text/wrap-line.ts'

export interface HelpContent {
  /** Cells; no line is longer. */
  readonly columns: number
  readonly commands: readonly SlashCommand[]
  readonly keymap: Keymap
}

/** From this width on, a key is followed by the name of its action. */
const leastColumnsForNames = 76

/** Commands and keys by use, then the clashes of keys; a long text continues below itself. */
export function helpLines({ commands, keymap, columns }: HelpContent): readonly Line[] {
  const clashes = keymap.clashes.map((clash) => ({ left: '', right: span(describeClash(clash), 'warning') }))
  const table = (rows: readonly Row[]): Line[] => rows.flatMap((row) => rowLines(row, columns))
  const text = (words: string): Line[] => wrapLine([span(words, 'dim')], { columns })
  return [
    [span('Commands', 'strong')],
    ...table(commands.map(commandRow)),
    [],
    ...text('! runs a shell command and shows it to the model, !! hides it from the model.'),
    ...text('@ completes a path and sends the file with your prompt. Pasting the path of an image attaches it.'),
    ...text('A terminal cannot pass on an image of the clipboard: save it, then paste its path.'),
    [],
    [span('Keys', 'strong')],
    ...table(keyRows('main', keymap, columns)),
    [],
    ...extensionRows(keymap, table),
    [span('In lists', 'strong')],
    ...table(keyRows('list', keymap, columns)),
    [],
    ...(clashes.length === 0 ? [] : [[span('Clashes', 'strong')], ...table(clashes), []]),
    ...text('keybindings.json beside settings.json changes the keys of an action; /reload reads it:'),
    ...text('{"externalEditor": "ctrl+x"}'),
    ...(columns < leastColumnsForNames ? text('A wider terminal shows the names of the actions.') : []),
  ]
}

function extensionRows({ extensions }: Keymap, table: (rows: readonly Row[]) => Line[]): readonly Line[] {
  if (extensions === undefined || extensions.size === 0) return []
  const rows = [...extensions].map(([key, { extension, description }]) => ({
    left: key,
    right: span(`${description} · ${extension}`),
  }))
  return [[span('Keys of extensions', 'strong')], ...table(rows), []]
}

interface Row {
  /** '' for none. */
  readonly left: string
  readonly right: Span
}

function commandRow({ name, argument, aliases = [], description }: SlashCommand): Row {
  const also = aliases.length === 0 ? '' : ` (${aliases.map((alias) => `/${alias}`).join(', ')})`
  return { left: argument === undefined ? `/${name}` : `/${name} ${argument}`, right: span(description + also) }
}

function keyRows(group: ActionGroup, keymap: Keymap, columns: number): Row[] {
  return actionNames
    .filter((name) => actions[name].group === group)
    .map((name) => {
      const keys = keysOf(keymap, name)
      const words = columns < leastColumnsForNames ? '' : ` · ${name}`
      return { left: keys.length === 0 ? 'no key' : keys.join(', '), right: span(actions[name].description + words) }
    })
}

/** Width of the left column in cells, with its indentation. */
const leftColumn = 24

/** A left side that is too long has a line of its own. */
function rowLines({ left, right }: Row, columns: number): Line[] {
  const indent = span(' '.repeat(leftColumn))
  const isLong = cellWidth(left) + 3 > leftColumn
  const front = [span('  '), span(left, 'accent'), span(' '.repeat(Math.max(0, leftColumn - 2 - cellWidth(left))))]
  if (left === '') return wrapLine([right], { columns, first: [span('  ')], rest: [span('  ')] })
  if (!isLong) return wrapLine([right], { columns, first: front, rest: [indent] })
  const own = wrapLine([span(left, 'accent')], { columns, first: [span('  ')], rest: [span('    ')] })
  return [...own, ...wrapLine([right], { columns, first: [indent], rest: [indent] })]
}
