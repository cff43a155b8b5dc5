// Tests how lines are cut and wrapped.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cellWidth, cutToWidth } from '../../../../app/ui/text/cell-width.ts'
import { span } from '../../../../app/ui/text/span.ts'
import { widthOf, wrapLine } from '../../../../app/ui/text/wrap-line.ts'

describe('cellWidth and cutToWidth', () => {
  it.each([
    ['plain', 5],
    ['日本', 4],
    ['한국', 4],
    ['ｗｉｄｅ', 8],
    ['🚀', 2],
    ['👍🏽', 2],
    ['❤️', 2],
    ['🇩🇪', 2],
    ['é', 1],
    ['e\u0301', 1],
    ['→·…', 3],
    ['', 0],
  ])('%j has %i cells', (text, width) => {
    expect(cellWidth(text)).toBe(width)
  })

  it('cuts between characters, with a mark', () => {
    expect(cutToWidth('日本語', 5)).toBe('日本…')
    expect(cutToWidth('日本語', 4)).toBe('日…')
    expect(cutToWidth('abc', 3)).toBe('abc')
    expect(cutToWidth('abc', 0)).toBe('')
  })
})

describe('wrapLine', () => {
  const shown = (text: string, columns: number): string[] =>
    wrapLine([span(text)], { columns, first: [span('- ')], rest: [span('  ')] }).map((line) =>
      line.map((part) => part.text).join(''),
    )

  it.each<[string, string, number, string[]]>([
    ['between words', 'one two three', 9, ['- one two', '  three']],
    ['inside a word that is longer than a line', 'abcdefgh', 6, ['- abcd', '  efgh']],
    ['between wide characters', '日本語の', 6, ['- 日本', '  語の']],
    ['nowhere if it fits', 'one two', 9, ['- one two']],
    ['never if it is empty', '', 9, ['- ']],
  ])('breaks a line %s', (_, text, columns, lines) => {
    expect(shown(text, columns).map((line) => line.trimEnd())).toEqual(lines.map((line) => line.trimEnd()))
  })

  it('keeps every character but spaces within the width', () => {
    const words = fc.array(fc.constantFrom('a', 'bc', ' ', '  ', '日本', '🚀', 'abcdefghijkl', 'e\u0301'), {
      maxLength: 30,
    })
    fc.assert(
      fc.property(words, fc.integer({ min: 4, max: 20 }), (parts, columns) => {
        const line = parts.map((text) => span(text, 'dim'))
        const lines = wrapLine(line, { columns })
        expect(
          lines
            .flat()
            .map((part) => part.text)
            .join('')
            .replaceAll(' ', ''),
        ).toBe(parts.join('').replaceAll(' ', ''))
        for (const each of lines) expect(widthOf(each)).toBeLessThanOrEqual(columns)
      }),
    )
  })
})
