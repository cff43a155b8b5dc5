// Tests lines of surfaces in the terminal: cut to the width, safe, with colours; and keys as terminals send them.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutSurfaceLine } from '../../../../app/ui/surfaces/cut-surface-line.ts'
import { keyData } from '../../../../app/ui/surfaces/key-data.ts'
import { cellWidth } from '../../../../app/ui/text/cell-width.ts'
import { cursorMarker } from '../../../../lib/streams/surfaces/surface-line.ts'

const [red, end] = ['\u001b[31m', '\u001b[0m']

describe('a line of a surface on the screen [S19c]', () => {
  it.each([
    ['fits', 'ab', 'ab', undefined],
    ['is too wide', 'abcdef', 'abcd', undefined],
    ['has colours behind the cut', `ab${red}cdef`, `ab${red}cd${end}`, undefined],
    ['has a wide character at the cut', 'abc漢d', 'abc', undefined],
    ['has the cursor', `ab${cursorMarker}c`, 'abc', 2],
    ['has the cursor behind the cut', `abcdef${cursorMarker}`, 'abcd', 3],
    ['has hostile sequences', '\u001b]0;t\u0007\u001b[2Ja\u009b1;1Hb\u202e', 'ab', undefined],
  ])('that %s', (_, line, text, cursor) => {
    expect(cutSurfaceLine(line, 4)).toEqual({ text, ...(cursor !== undefined && { cursor }) })
  })

  it('never is wider than the screen, nor holds another control', () => {
    const pieces = [
      '\u001b[',
      '\u001b]',
      '31m',
      'a',
      '漢',
      '\u0007',
      '\u009b',
      '\u001b',
      cursorMarker,
      '\u200b',
      '👍️',
      '\n',
    ]
    const lines = fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((each) => each.join(''))
    fc.assert(
      fc.property(lines, fc.integer({ min: 1, max: 12 }), (line, columns) => {
        const { text } = cutSurfaceLine(line, columns)
        const plain = text.replaceAll(/\u001b\[[0-9;:]*m/g, '')
        expect(cellWidth(plain)).toBeLessThanOrEqual(columns)
        expect(plain).not.toMatch(/\p{Cc}/u)
      }),
    )
  })
})

describe('a key for a surface', () => {
  it.each([
    ['up', '\u001b[A'],
    ['ctrl+left', '\u001b[1;5D'],
    ['alt+shift+end', '\u001b[1;4F'],
    ['delete', '\u001b[3~'],
    ['ctrl+pagedown', '\u001b[6;5~'],
    ['enter', '\r'],
    ['shift+enter', '\u001b[13;2u'],
    ['alt+enter', '\u001b\r'],
    ['escape', '\u001b'],
    ['tab', '\t'],
    ['shift+tab', '\u001b[Z'],
    ['backspace', '\u007f'],
    ['ctrl+space', '\u0000'],
    ['ctrl+g', '\u0007'],
    ['alt+b', '\u001bb'],
    ['ctrl+alt+g', '\u001b\u0007'],
    ['ctrl++', '\u001b[43;5u'],
    ['super+k', '\u001b[107;9u'],
  ])('%s', (name, data) => {
    expect(keyData({ kind: 'key', name })).toEqual([{ data, name }])
  })

  it('is one for each typed character, and one for a paste', () => {
    expect(keyData({ kind: 'text', text: 'a漢é' })).toEqual([{ data: 'a' }, { data: '漢' }, { data: 'é' }])
    expect(keyData({ kind: 'paste', text: 'a\nb' })).toEqual([{ data: '\u001b[200~a\nb\u001b[201~' }])
  })
})
