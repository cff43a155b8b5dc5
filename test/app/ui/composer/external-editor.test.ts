// Tests the external editor for a prompt.
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lastValueFrom } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { editExternally } from '../../../../app/ui/composer/external-editor.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'editor-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function script(name: string, lines: string): string {
  const file = join(folder, name)
  writeFileSync(file, `#!/bin/sh\n${lines}\n`, { mode: 0o755 })
  return file
}
const edit = (env: Record<string, string>, text = 'before') =>
  lastValueFrom(editExternally({ text, env: { PATH: process.env['PATH'] ?? '', ...env }, cwd: folder }), {
    defaultValue: 'nothing',
  })
const leftovers = () =>
  readdirSync(tmpdir()).filter((name) => name.startsWith('rxpi-') && !name.startsWith('rxpi-test'))

describe('editOutside', () => {
  it('returns the content of a private file, and removes the file', async () => {
    const before = leftovers()
    const editor = script('editor', `ls -l "$1" | cut -c1-10 > ${folder}/mode; echo " after" >> "$1"`)
    expect(await edit({ EDITOR: editor })).toBe('before after')
    expect(readFileSync(join(folder, 'mode'), 'utf8')).toBe('-rw-------\n')
    expect(leftovers()).toEqual(before)
  })

  it('prefers VISUAL, and runs it as a shell command', async () => {
    const visual = script('visual', 'printf %s "$1" > "$2"')
    expect(await edit({ EDITOR: 'false', VISUAL: `${visual} 'two words'` })).toBe('two words')
  })

  it.each([
    ['that ends with an error', 'exit 3', /ended with 3; set VISUAL or EDITOR/],
    ['that is killed', 'kill -9 $$', /ended with 137|was ended by SIGKILL/],
  ])('fails with an editor %s', async (_, lines, message) => {
    const before = leftovers()
    await expect(edit({ EDITOR: script('editor', lines) })).rejects.toMatchObject({
      code: 'bad_config',
      message: expect.stringMatching(message) as string,
    })
    expect(leftovers()).toEqual(before)
  })

  it('fails with the name of an editor that does not exist', async () => {
    await expect(edit({ EDITOR: 'no-such-editor-of-mine' })).rejects.toMatchObject({
      message: 'no-such-editor-of-mine ended with 127; set VISUAL or EDITOR to your editor',
    })
  })
})
