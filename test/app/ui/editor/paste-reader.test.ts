// Tests how pasted text and image paths are read.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPasteReader } from '../../../../app/ui/editor/paste-reader.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'paste-'))
  for (const name of ['a.png', 'b c.png'])
    writeFileSync(join(folder, name), Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'))
  writeFileSync(join(folder, 'fake.png'), 'no image')
})
afterAll(() => rmSync(folder, { recursive: true }))

/** The names of the images, or the text if there is none. */
function read(text: string): unknown {
  return createPasteReader(folder)(text).flatMap((edit) =>
    edit.type === 'image' ? [edit.name] : edit.type === 'paste' ? [edit.text] : [],
  )
}

describe('pasteReader', () => {
  it.each([
    ['a relative path', () => 'a.png', ['a.png']],
    ['an absolute one', () => join(folder, 'a.png'), ['a.png']],
    ['one with a space, as it is', () => join(folder, 'b c.png'), ['b c.png']],
    ['a relative one with a space', () => 'b c.png', ['b c.png']],
    ['one in quotes', () => `'${join(folder, 'b c.png')}' `, ['b c.png']],
    ['one with backslashes', () => `${join(folder, 'b\\ c.png')} `, ['b c.png']],
    ['a URL', () => pathToFileURL(join(folder, 'b c.png')).href, ['b c.png']],
    ['several', () => `${join(folder, 'a.png')} ${join(folder, 'b\\ c.png')}`, ['a.png', 'b c.png']],
  ])('attaches %s', (_, text, names) => {
    expect(read(text())).toEqual(names)
  })

  it.each(['plain words', 'missing.png', 'fake.png', 'see a.png', 'a.png and more', 'file://elsewhere/a.png', ''])(
    'treats %j as text',
    (text) => {
      expect(read(text)).toEqual([text])
    },
  )
})
