// Tests how the user's key bindings are read.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keysOf } from '../../../../app/ui/keys/keymap.ts'
import { readKeybindings } from '../../../../app/ui/keys/read-keybindings.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keys-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function read(content?: string) {
  const file = join(folder, 'rxpi/keybindings.json')
  if (content !== undefined) {
    mkdirSync(join(folder, 'rxpi'), { recursive: true })
    writeFileSync(file, content, { mode: 0o600 })
  }
  const { keymap, problems } = readKeybindings({ HOME: folder, XDG_CONFIG_HOME: folder })
  return { keymap, problems: problems.map((problem) => problem.replaceAll(file, 'FILE')) }
}

describe('readKeybindings', () => {
  it('returns the default keys without a file', () => {
    const { keymap, problems } = read()
    expect([keysOf(keymap, 'submit'), problems]).toEqual([['enter'], []])
  })

  it('accepts one key or a list', () => {
    const { keymap, problems } = read('{"undo": "Ctrl+Z", "suspend": [], "submit": ["enter", "alt+s"]}')
    expect(problems).toEqual([])
    expect([keysOf(keymap, 'undo'), keysOf(keymap, 'suspend'), keysOf(keymap, 'submit')]).toEqual([
      ['ctrl+z'],
      [],
      ['enter', 'alt+s'],
    ])
  })

  it('reports wrong entries and keeps the others', () => {
    const { keymap, problems } = read('{"undu": "ctrl+z", "undo": ["ctrl+nope", "ctrl+x"], "redo": "ctrl+x"}')
    expect(keysOf(keymap, 'undo')).toEqual(['ctrl+x'])
    expect(problems).toEqual([
      'FILE: "undu" is not an action; /help lists the actions',
      expect.stringMatching(/^FILE: undo: "ctrl\+nope" is not a key: the keys with names are /),
      'FILE: ctrl+x is bound to both undo and redo; it runs undo',
    ])
  })

  it.each([
    ['{"undo": 3}', /^FILE is not valid: undo must be/],
    ['{"undo": "ctrl+z"', /^FILE is not valid: it is not JSON \(line 1, column \d+/],
    ['[]', /^FILE is not valid: it must be an object; the default keys apply$/],
  ])('returns the default keys and the reason for %j', (content, problem) => {
    const { keymap, problems } = read(content)
    expect(keysOf(keymap, 'submit')).toEqual(['enter'])
    expect(problems).toEqual([expect.stringMatching(problem)])
  })
})
