// Tests properties of the text editor over random edits.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emptyEditor } from '../../../../app/ui/editor/editor-state.ts'
import type { EditorEdit } from '../../../../app/ui/editor/editor-state.ts'
import { graphemes } from '../../../../app/ui/text/cell-width.ts'
import { normalizeLineEnds, textOfUnits } from '../../../../app/ui/editor/unit.ts'
import type { Unit } from '../../../../app/ui/editor/unit.ts'
import { image, insert, move, remove, row, after } from './edit-text-scene.ts'
import { binaryText } from '../../../support/binary-text.ts'

describe('editText with random edits', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 8 }),
    binaryText({ maxLength: 4 }),
    fc.constantFrom(
      '\u0301',
      '\u200d',
      '🇩',
      '🇪',
      '👩',
      '\n',
      '\r\n',
      ' ',
      '你',
      '\u0600',
      '\u1100',
      '\u1161',
      'a b\tc',
    ),
  )
  const moves = fc.constantFrom(
    'left',
    'right',
    'wordLeft',
    'wordRight',
    'lineStart',
    'lineEnd',
    'start',
    'end',
  ) as fc.Arbitrary<Extract<EditorEdit, { type: 'move' }>['to']>
  const edits = fc.oneof(
    { weight: 4, arbitrary: texts.map(insert) },
    { weight: 2, arbitrary: moves.map(move) },
    { weight: 2, arbitrary: fc.tuple(moves, fc.boolean()).map(([to, kill]) => remove(to, kill)) },
    fc.constantFrom<EditorEdit>(
      { type: 'yank' },
      { type: 'undo' },
      { type: 'redo' },
      row(-1, 20, ['x\ny']),
      row(1, 20, ['x\ny']),
    ),
    texts.map((text): EditorEdit => ({ type: 'paste', text: text.repeat(200) })),
    fc.constant<EditorEdit>({ type: 'image', name: 'a.png', image }),
  )
  const states = fc.array(edits, { maxLength: 30 }).map((all) => after(emptyEditor, ...all))

  it('keeps each grapheme as one unit and the cursor between units', () => {
    fc.assert(
      fc.property(states, ({ buffer: { units, cursor } }) => {
        expect(cursor).toBeGreaterThanOrEqual(0)
        expect(cursor).toBeLessThanOrEqual(units.length)
        for (const run of textRuns(units)) expect(run).toEqual(graphemes(run.join('')))
      }),
    )
  })

  it('inserts a text exactly at the cursor', () => {
    fc.assert(
      fc.property(states, texts, (state, text) => {
        const { units, cursor } = state.buffer
        const expected =
          textOfUnits(units.slice(0, cursor)) + normalizeLineEnds(text) + textOfUnits(units.slice(cursor))
        expect(textOfUnits(after(state, insert(text)).buffer.units)).toBe(expected)
      }),
    )
  })

  it('undoes each edit', () => {
    fc.assert(
      fc.property(states, edits, (state, edit) => {
        fc.pre(edit.type !== 'undo' && edit.type !== 'redo')
        const settled = after(state, move('right')) // continuous typing is undone as one edit
        const text = textOfUnits(settled.buffer.units)
        const done = after(settled, edit)
        fc.pre(textOfUnits(done.buffer.units) !== text)
        expect(textOfUnits(after(done, { type: 'undo' }).buffer.units)).toBe(text)
        expect(after(done, { type: 'undo' }, { type: 'redo' }).buffer).toEqual(done.buffer)
      }),
    )
  })

  it('restores a deleted text', () => {
    fc.assert(
      fc.property(states, moves, (state, to) => {
        const settled = after(state, move('right'))
        const done = after(settled, remove(to, true))
        // adjacent units can form one grapheme, such as a space and an accent after an image: the cursor never stands
        // inside it
        fc.pre(done.buffer.units.length + done.killed.length === settled.buffer.units.length && done.killed.length > 0)
        expect(textOfUnits(after(done, { type: 'yank' }).buffer.units)).toBe(textOfUnits(settled.buffer.units))
      }),
    )
  })
})

function textRuns(units: readonly Unit[]): string[][] {
  const runs: string[][] = [[]]
  for (const unit of units) {
    if (typeof unit === 'string') runs.at(-1)?.push(unit)
    else runs.push([])
  }
  return runs
}
