// Tests what a line of a surface keeps: text, colours and one cursor marker; hostile sequences leave nothing.
import { describe, expect, it } from 'vitest'
import { activeCharacters } from '../../../lib/streams/values/display-text.ts'
import { cursorMarker, surfaceLine } from '../../../lib/streams/surfaces/surface-line.ts'

const red = '\u001b[31m'
const end = '\u001b[0m'

describe('a line of a surface [S19c]', () => {
  it.each([
    ['text', 'a é 漢 👍️ 🇫🇮', 'a é 漢 👍️ 🇫🇮'],
    ['a colour, which ends with the line', `${red}a`, `${red}a${end}`],
    [
      'colours of all forms',
      '\u001b[1;38;2;1;2;3m\u001b[4:3mx\u001b[m',
      `\u001b[1;38;2;1;2;3m\u001b[4:3mx\u001b[m${end}`,
    ],
    ['a colour that is ended', `${red}a${end}`, `${red}a${end}`],
    ['the cursor marker, once', `a${cursorMarker}b${cursorMarker}`, `a${cursorMarker}b`],
    ['a tab, as spaces', 'a\tb', 'a    b'],
  ])('keeps %s', (_, line, safe) => {
    expect(surfaceLine(line)).toBe(safe)
  })

  it.each([
    ['the title', '\u001b]0;owned\u0007x'],
    ['the title, ended by ST', '\u001b]0;owned\u001b\\x'],
    ['a link', '\u001b]8;;http://evil\u001b\\x\u001b]8;;\u001b\\'],
    ['the clipboard', '\u001b]52;c;ZXZpbA==\u0007x'],
    ['a control string without an end', 'x\u001b]0;owned'],
    ['a move of the cursor', '\u001b[2Ax\u001b[1;1H'],
    ['a cleared screen', '\u001b[2J\u001b[3Jx'],
    ['modes of the terminal', '\u001b[?1049h\u001b[?2004lx'],
    ['modes of the keyboard, which end like a colour', '\u001b[>4;2m\u001b[?4mx'],
    ['a colour with something between', '\u001b[31 mx'],
    ['a device string', '\u001bP+q544e\u001b\\x'],
    ['an image', '\u001b_Gf=100;AAAA\u001b\\x'],
    ['a privacy message and a start of string', '\u001b^a\u001b\\\u001bXb\u001b\\x'],
    ['a reset', '\u001bcx'],
    ['a character set', '\u001b(0x'],
    ['C1 controls', '\u009b2Jx\u009d0;owned\u009c\u0090q\u009c\u0085'],
    ['an unfinished sequence', 'x\u001b[31'],
    ['a lone escape', 'x\u001b'],
    ['an escape within a sequence', '\u001b]0;a\u001b[31\u001b[2Jx'],
    ['other controls', '\u0000\u0007\b\u007fx\r\n\u000b'],
    ['directions, zero width and tags', '\u202e\u200b\u2066\u{e0041}\ufeffx\u2028'],
    ['a lone surrogate', 'x\ud800'],
  ])('removes %s', (_, line) => {
    expect(surfaceLine(line)).toBe('x')
  })

  it('reads a long hostile line in linear time', () => {
    for (const piece of ['\u001b]', '\u001b[', '\u001b[1;', '\u001bP\u001b', '\u009d'])
      expect(surfaceLine(piece.repeat(20_000))).not.toMatch(activeCharacters)
  }, 2_000)
})
