// Tests that docs/terminal.md covers every command and action of the UI.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { slashCommands } from '../../app/ui/commands/slash-commands.ts'
import { actionNames, actions } from '../../app/ui/keys/actions.ts'

const page = readFileSync('docs/terminal.md', 'utf8')
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) =>
    line
      .replaceAll('\\|', '/')
      .split('|')
      .map((cell) => cell.trim()),
  )

describe('docs/terminal.md', () => {
  it('has exactly the commands that exist', () => {
    const documented = rows.flatMap(([, cell = '']) => /^`\/([a-z-]+)/.exec(cell)?.[1] ?? [])
    expect(documented.toSorted()).toEqual(slashCommands.map(({ name }) => name).toSorted())
  })

  it('has the second names of commands', () => {
    const pairs = slashCommands.flatMap(({ name, aliases = [] }) => aliases.map((alias) => ({ name, alias })))
    const [, listed = ''] = /^Second names work too: ([^]*?)\. /m.exec(page) ?? []
    const documented = listed.split(/,\s+/).flatMap((part) => {
      const names = Array.from(part.matchAll(/`\/([a-z]+)`/g), ([, name = '']) => name)
      return names.slice(0, -1).map((alias) => ({ name: names.at(-1), alias }))
    })
    const byAlias = (one: { alias: string }, other: { alias: string }) => (one.alias < other.alias ? -1 : 1)
    expect(documented.toSorted(byAlias)).toEqual(pairs.toSorted(byAlias))
  })

  it('has every action with its keys', () => {
    const documented = rows.filter(([, cell = '']) => !cell.startsWith('`/')).map(([, name, keys]) => [name, keys])
    const expected = actionNames.map((name) => [
      `\`${name}\``,
      actions[name].keys.map((key) => `\`${key}\``).join(', '),
    ])
    expect(documented).toEqual(expected)
  })
})
