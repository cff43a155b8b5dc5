// Tests the layout of the editor's text in rows.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cellWidth } from '../../../../app/ui/text/cell-width.ts'
import { indexAt, layoutText } from '../../../../app/ui/editor/layout-text.ts'
import { unitsOf } from '../../../../app/ui/editor/unit.ts'
import type { Unit } from '../../../../app/ui/editor/unit.ts'

const rowsOf = (units: readonly Unit[], width: number, cursor = units.length) => {
  const { rows, cursor: workspace } = layoutText({ units, cursor }, width)
  return { rows: rows.map(({ pieces }) => pieces.map(({ text }) => text).join('')), place: workspace }
}

describe('layoutText', () => {
  it.each<readonly [string, string, number, readonly string[], readonly [number, number]]>([
    ['nothing', '', 20, [''], [0, 0]],
    ['one row', 'hello', 20, ['hello'], [0, 5]],
    ['a line end', 'hello\n', 20, ['hello', ''], [1, 0]],
    ['words', 'one two three', 9, ['one two ', 'three'], [1, 5]],
    ['a word that is longer than a row', 'abcdefghij', 5, ['abcd', 'efgh', 'ij'], [2, 2]],
    ['a full row: the cursor has its column', 'abcd', 5, ['abcd'], [0, 4]],
    ['wide characters', '你好吗', 5, ['你好', '吗'], [1, 2]],
    ['a wide character that just does not fit', 'abc你', 5, ['abc', '你'], [1, 2]],
    ['an emoji family', 'a👩‍👩‍👧b', 20, ['a👩‍👩‍👧b'], [0, 4]],
    ['a tab', 'a\tb', 20, ['a    b'], [0, 6]],
    ['a control character', 'a\u001b[31m', 20, ['a␛[31m'], [0, 6]],
    ['a hidden character', 'a\u202eb', 20, ['a<U+202E>b'], [0, 10]],
    ['a wide one behind a break', 'a bcdefgh你', 10, ['a ', 'bcdefgh你'], [1, 9]],
  ])('lays out %s', (_, text, width, rows, [row, column]) => {
    expect(rowsOf(unitsOf(text), width)).toEqual({ rows, place: { row, column } })
  })

  it('cuts the label of a chip that is wider than a row', () => {
    const image = { type: 'image', mimeType: 'image/png', data: '' } as const
    const units: Unit[] = ['a', { kind: 'image', number: 1, name: 'a long name 你好.png', image }]
    expect(rowsOf(units, 20).rows).toEqual(['a', '[image #1: a long …'])
    expect(rowsOf(units, 60).rows).toEqual(['a[image #1: a long name 你好.png]'])
  })

  it('escapes control characters in the label of a chip [S19a]', () => {
    const image = { type: 'image', mimeType: 'image/png', data: '' } as const
    const chip: Unit = { kind: 'image', number: 1, name: 'a\u001b[2J\u202e.png', image }
    expect(rowsOf([chip], 60).rows).toEqual(['[image #1: a␛[2J<U+202E>.png]'])
  })

  it('puts the cursor at the end of a wrapped row on the next row', () => {
    expect(rowsOf(unitsOf('one two three'), 9, 8).place).toEqual({ row: 1, column: 0 })
    expect(rowsOf(unitsOf('one\ntwo'), 9, 3).place).toEqual({ row: 0, column: 3 })
  })

  it('puts each unit in one row, within the width, with a column for the cursor', () => {
    const cases = fc.record({
      text: fc.string({
        unit: fc.oneof(
          fc.constantFrom(' ', 'a', '你', '\n', '\t', '👩‍👩‍👧', 'e\u0301'),
          fc.string({ unit: 'grapheme', maxLength: 1 }),
        ),
        maxLength: 60,
      }),
      width: fc.integer({ min: 20, max: 60 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    fc.assert(
      fc.property(cases, ({ text, width, share }) => {
        const units = unitsOf(text)
        const buffer = { units, cursor: Math.floor(share * units.length) }
        const { rows, cursor } = layoutText(buffer, width)
        const covered = rows.flatMap(({ start, end }) => units.slice(start, end))
        expect(covered).toEqual(units.filter((unit) => unit !== '\n'))
        for (const { pieces } of rows) {
          const columns = cellWidth(pieces.map((piece) => piece.text).join(''))
          expect(columns).toBeLessThan(width)
        }
        expect(cursor.column).toBeLessThan(width)
        const row = rows[cursor.row]
        if (row === undefined) throw new Error('the cursor stands in no row')
        const there = indexAt(buffer, row, cursor.column, width)
        expect(layoutText({ units, cursor: there }, width).cursor).toEqual(cursor)
      }),
    )
  })
})
