// Tests how the text in the editor becomes a prompt with files and images.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { missingFiles, readInput } from '../../../../app/ui/composer/read-prompt.ts'
import { sendPrompt } from '../../../../app/ui/composer/send-input.ts'
import { unitsOf } from '../../../../app/ui/editor/unit.ts'
import type { Unit } from '../../../../app/ui/editor/unit.ts'
import { emptyView } from '../../../../app/ui/view/view.ts'
import { fakeUi } from '../../../support/fake-ui.ts'

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'input-'))
  mkdirSync(join(folder, 'src'))
  writeFileSync(join(folder, 'src/a.ts'), 'let a\n')
  writeFileSync(join(folder, 'with space.md'), 'spaced')
  writeFileSync(join(folder, 'shot.png'), png)
  writeFileSync(join(folder, 'binary'), Buffer.from([0, 255, 1]))
})
afterAll(() => rmSync(folder, { recursive: true }))

const read = (text: string) => readInput(unitsOf(text), folder)
const a = '<file path="src/a.ts">\nlet a\n\n</file>'

describe('readInput', () => {
  it.each<readonly [string, string, unknown]>([
    ['nothing', '  \n ', undefined],
    ['a prompt', ' hello\n', { kind: 'prompt', text: 'hello', images: [] }],
    ['a file', 'see @src/a.ts', { kind: 'prompt', text: `${a}\n\nsee @src/a.ts`, images: [] }],
    [
      'a file at the end of a sentence',
      'see @src/a.ts.',
      { kind: 'prompt', text: `${a}\n\nsee @src/a.ts.`, images: [] },
    ],
    ['a file once', '@src/a.ts @src/a.ts', { kind: 'prompt', text: `${a}\n\n@src/a.ts @src/a.ts`, images: [] }],
    [
      'a path in quotes',
      '@"with space.md"?',
      { kind: 'prompt', text: '<file path="with space.md">\nspaced\n</file>\n\n@"with space.md"?', images: [] },
    ],
    [
      'a folder with its slash [FIRST-mention]',
      'what is in @src/ ?',
      { kind: 'prompt', text: '<folder path="src/">\na.ts\n</folder>\n\nwhat is in @src/ ?', images: [] },
    ],
    [
      'what is no file',
      'ask @somebody in @src or a@src/a.ts',
      { kind: 'prompt', text: 'ask @somebody in @src or a@src/a.ts', images: [] },
    ],
    [
      'an image',
      'what is @shot.png',
      {
        kind: 'prompt',
        text: 'what is @shot.png',
        images: [{ type: 'image', mimeType: 'image/png', data: png.toString('base64') }],
      },
    ],
    ['an own command', '!ls -l\n', { kind: 'bash', command: 'ls -l', forModel: true }],
    ['a hidden one', '!! git status', { kind: 'bash', command: 'git status', forModel: false }],
    ['an own command of many lines', '!a\nb', { kind: 'bash', command: 'a\nb', forModel: true }],
    ['an empty one', '!!  ', undefined],
    ['the word exit [KEYS-exit]', 'exit\n', { kind: 'command', name: 'exit', argument: '' }],
    ['a slash command', '/model openai/x ', { kind: 'command', name: 'model', argument: 'openai/x' }],
    ['one without an argument', '/help', { kind: 'command', name: 'help', argument: '' }],
    ['a path at the start', '/usr/bin is full', { kind: 'prompt', text: '/usr/bin is full', images: [] }],
    ['a slash behind a space', ' /help', { kind: 'prompt', text: '/help', images: [] }],
    ['a bang behind a space', ' !important', { kind: 'prompt', text: '!important', images: [] }],
  ])('reads %s', (_, text, expected) => {
    expect(read(text)).toEqual(expected)
  })

  it('expands pastes and adds images', () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' } as const
    const units: Unit[] = [
      ...unitsOf('see '),
      { kind: 'paste', number: 1, text: 'one\ntwo' },
      { kind: 'image', number: 2, name: 'a.png', image },
    ]
    expect(readInput(units, folder)).toEqual({ kind: 'prompt', text: 'see one\ntwo[image #2: a.png]', images: [image] })
  })

  it('rejects a file that is neither text nor an image, with its name', () => {
    expect(() => read('see @binary')).toThrow(
      expect.objectContaining({ code: 'bad_request', message: '@binary is not UTF-8 text' }),
    )
  })
})

describe('missingFiles', () => {
  it.each([
    ['ask @somebody about @scope/name and @src and @src/ and @src/a.ts.', []],
    ['see @nofile.ts', ['There is no file nofile.ts in FOLDER']],
    ['see @nofile.ts, @nofile.ts', ['There is no file nofile.ts in FOLDER']],
    ['see @src/b.ts', ['There is no file src/b.ts. Did you mean a.ts?']],
    ['list @scr/', ['There is no file scr/. Did you mean src?']],
    ['a file is no folder: @src/a.ts/b.ts', ['There is no file src/a.ts/b.ts in FOLDER']],
  ])('of %j are %j [FIRST-mention]', (text, missing) => {
    expect(missingFiles(text, folder).map((line) => line.replace(folder, 'FOLDER'))).toEqual(missing)
  })
})

describe('sendPrompt', () => {
  const view = { ...emptyView(), session: { id: 'abcdefghij23', cwd: '/project', title: '' } }

  it.each(['Fix it', '!rm -rf x', '/approve auto', '/quit', 'exit'])(
    'sends %j as a prompt and nothing else',
    (text) => {
      const { ui, requests, notices, hasLeft } = fakeUi({ view })
      sendPrompt(ui, text)
      expect(requests).toEqual([{ type: 'prompt', session: 'abcdefghij23', text, whileRunning: 'steer' }])
      expect([notices.filter(({ type }) => type !== 'sending'), hasLeft()]).toEqual([[], false])
    },
  )

  it('puts what cannot be sent into the editor', () => {
    const { ui, requests, notices } = fakeUi({ view })
    const text = `See @${join(folder, 'binary')}`
    sendPrompt(ui, text)
    expect(requests).toEqual([])
    expect(notices).toEqual([expect.objectContaining({ type: 'notice' }), { type: 'draft', text }])
  })
})
