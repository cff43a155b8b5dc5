// Tests that linear-time patterns match as JavaScript does.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linearPattern } from '../../../lib/host/patterns/linear-pattern.ts'
import { sampleSize } from '../../support/sample-size.ts'
import { cpuMs } from '../../support/cpu-time.ts'

const patterns = [
  ...['^a+$', '\\s', '\\S+x', '[\\s\\d]', '[^\\S]', '.', '^.$', '[]', '[^]', '[^a-z]', '\\u{1F600}', '\\uD83D\\uDE00'],
  ...[
    '\\ud83d',
    '[\\u0041-\\x5a]',
    '\\cJ',
    '\\p{L}+',
    '(?<n>a)b',
    '\\bfoo\\b',
    '[\\b]',
    'a{2,3}?',
    '\\/',
    '[-a]',
    '[a-]',
  ],
  ...['[\\]\\-\\\\^]', '\\.', '\\$', '[.$^|(){}*+?]', '[(?:x)]', '[{2}]', '[[a]', 'a|b|', '()', 'é', '😀', '[😀-😂]'],
  ...['\\0', '^(?:(?:\\d{3}))-\\w+$', '\\v', '[$^]', '[a^]', '[^^]', 'x$y', 'a{0}b', '(a|ab)(c|bcd)(d*)$', '\\B.\\B'],
]
const texts = [
  ...[
    '',
    'a',
    'aa',
    'b',
    ' ',
    '\u00A0',
    '\n',
    'a\n',
    '\r',
    '\u2028',
    '\u2029',
    '\u180E',
    '😀',
    '\uD83D',
    '\uDE00',
    'A',
    '[',
    ']',
    '-',
  ],
  ...['\\', '^', 'foo bar', 'foob', 'aab', 'aaa', '/', '.', '$', 'é', '😁', '123-ab', '\v', '\b', '(', '{', '2', '\0'],
  ...['ab', 'abcd', 'α', 'x$y', '\uFEFF', '\u200B', '?', ':', 'a(', '?:x', 'Z'],
]

describe('a linear-time pattern', () => {
  it.each(patterns)('matches %s exactly as JavaScript does [S27a]', (pattern) => {
    const own = linearPattern(pattern)
    const expected = texts.filter((text) => new RegExp(pattern, 'u').test(text))
    expect(texts.filter((text) => own?.test(text))).toEqual(expected)
  })

  it('matches random patterns and texts as JavaScript does, or refuses them [S27a]', () => {
    const part = fc.constantFrom(
      'a',
      'b',
      '.',
      '\\s',
      '\\S',
      '[^a]',
      '(?:',
      ')',
      '|',
      '*',
      '+',
      '?',
      '^',
      '$',
      '{2}',
      '\\b',
      '[a\\S]',
    )
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '\u2029', '😀') })
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), text, (parts, options) => {
        const pattern = parts.join('')
        let expected: boolean
        try {
          expected = new RegExp(pattern, 'u').test(options)
        } catch {
          return // no pattern at all
        }
        expect(linearPattern(pattern)?.test(options) ?? expected).toBe(expected)
      }),
      { numRuns: sampleSize(500, 20_000) },
    )
  })

  it.each([
    '(?=a)',
    '(?!a)',
    '(?<=a)b',
    '(?<!a)b',
    '(a)\\1',
    '(?<n>a)\\k<n>',
    'a{1001}',
    '\\p{Script=Greek}',
    '(?i:a)',
  ])('refuses %s, which linear time cannot do [S27a]', (pattern) => {
    expect(linearPattern(pattern)).toBeUndefined()
  })

  it.each(['^(a+)+$', '(x+x+)+y', '^(?:(?:a|b|ab)*)*c', '(?:a?){900}a{900}$'])(
    'matches %s in linear time [S27a]',
    (pattern) => {
      const own = linearPattern(pattern)
      const begin = cpuMs()
      expect(own?.test(`${'a'.repeat(5_000)}!`)).toBe(false)
      expect(cpuMs() - begin).toBeLessThan(1_000)
    },
  )
})
