// Tests that text and JSON contain no control sequences for a terminal.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { terminalSafe, terminalSafeJson } from '../../../app/process/terminal-safe.ts'
import { binaryText } from '../../support/binary-text.ts'

describe('terminalSafe [S19a]', () => {
  it.each<[string, string, string]>([
    ['a colour', '\u001b[31mred', '␛[31mred'],
    ['a window title', '\u001b]0;owned\u0007', '␛]0;owned␇'],
    ['the one-byte CSI', '\u009b31m', '<U+009B>31m'],
    ['the one-byte OSC', '\u009d0;x\u009c', '<U+009D>0;x<U+009C>'],
    ['a carriage return', 'safe\rrm -rf', 'safe␍rm -rf'],
    ['backspaces', 'a\b\b', 'a␈␈'],
    ['delete', '\u007f', '␡'],
    ['NUL', '\0', '␀'],
    ['right-to-left override', 'a\u202egnp.exe', 'a<U+202E>gnp.exe'],
    ['bidi isolates', '\u2066x\u2069', '<U+2066>x<U+2069>'],
    ['the Arabic letter mark', '\u061c', '<U+061C>'],
    ['zero-width space and joiners', 'a\u200bb\u200cc\u200d', 'a<U+200B>b<U+200C>c<U+200D>'],
    ['a byte order mark', '\ufeff', '<U+FEFF>'],
    ['a soft hyphen', 'a\u00adb', 'a<U+00AD>b'],
    ['tag characters', '\u{e0041}\u{e007f}', '<U+E0041><U+E007F>'],
    ['supplementary variation selectors', '\u{e0100}', '<U+E0100>'],
    ['invisible fillers', '\u3164\uffa0\u115f', '<U+3164><U+FFA0><U+115F>'],
    ['line and paragraph separators', '\u2028\u2029', '<U+2028><U+2029>'],
    ['half a surrogate pair', '\ud800', '<U+D800>'],
    ['marks that annotate or group what follows', '\ufff9\u0600', '<U+FFF9><U+0600>'],
    ['private use', '\ue000', '<U+E000>'],
  ])('makes %s visible', (_, options, wanted) => {
    expect(terminalSafe(options)).toBe(wanted)
  })

  it.each(['line\nfeed', 'tab\tstop', 'äöü ß', '日本語', 'עברית', '👍🏽 ❤️', 'e\u0301', '␛'])('keeps %j', (text) => {
    expect(terminalSafe(text)).toBe(text)
  })

  it('leaves no C0 character except line feed and tab, and no C1 character, in any text', () => {
    fc.assert(
      fc.property(binaryText(), (text) => {
        expect(terminalSafe(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e]/)
      }),
    )
  })
})

describe('terminalSafeJson [S19b]', () => {
  it('escapes control characters without changing the JSON value', () => {
    fc.assert(
      fc.property(binaryText(), (text) => {
        const json = JSON.stringify({ text })
        const safe = terminalSafeJson(json)
        expect(JSON.parse(safe)).toEqual({ text })
        expect(safe).toBe(terminalSafe(safe))
      }),
    )
  })

  it('escapes C1, bidi and tags unit by unit', () => {
    expect(terminalSafeJson('"\u009b\u202e\u{e0041}"')).toBe('"\\u009b\\u202e\\udb40\\udc41"')
  })
})
