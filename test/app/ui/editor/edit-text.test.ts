// Tests the edits of the text editor, its history and its chips.
import { describe, expect, it } from 'vitest'
import { emptyEditor } from '../../../../app/ui/editor/editor-state.ts'
import type { EditorEdit, EditorState } from '../../../../app/ui/editor/editor-state.ts'
import { chipLabel, textOfUnits } from '../../../../app/ui/editor/unit.ts'
import type { Unit } from '../../../../app/ui/editor/unit.ts'
import { image, insert, move, remove, row, at, after } from './edit-text-scene.ts'

const times = (count: number, edit: EditorEdit): EditorEdit[] => Array.from({ length: count }, () => edit)

/** The visible text, with `|` at the cursor. */
function shown({ buffer: { units, cursor } }: EditorState): string {
  const received = (part: readonly Unit[]) =>
    part.map((unit) => (typeof unit === 'string' ? unit : chipLabel(unit))).join('')
  return `${received(units.slice(0, cursor))}|${received(units.slice(cursor))}`
}

describe('editText', () => {
  it.each<readonly [string, string, readonly EditorEdit[], string]>([
    ['inserts at the cursor', 'ab|d', [insert('c')], 'abc|d'],
    ['joins an accent to its letter', 'cafe|', [insert('\u0301'), move('left')], 'caf|e\u0301'],
    ['joins flags from halves', '|', [insert('🇩'), insert('🇪')], '🇩🇪|'],
    ['joins a family', '👩|👧', [insert('\u200d')], '👩\u200d👧|'],
    ['makes ends of lines one', '|', [insert('a\r\nb\rc')], 'a\nb\nc|'],
    ['deletes an emoji whole', 'x👩‍👩‍👧|y', [remove('left')], 'x|y'],
    ['deletes a letter with its accents', 'ae\u0301\u0323|', [remove('left')], 'a|'],
    ['deletes to the right', 'a|你b', [remove('right')], 'a|b'],
    ['does nothing at the start', '|a', [remove('left'), move('left')], '|a'],
    ['does nothing at the end', 'a|', [remove('right'), move('right')], 'a|'],
    ['joins what a deletion brings together', 'e\n|\u0301x', [remove('left')], 'e\u0301|x'],
    ['moves by words', 'one two.three |', times(2, move('wordLeft')), 'one two|.three '],
    ['moves by words to the right', '|one  two.three', times(3, move('wordRight')), 'one  two.|three'],
    ['moves over lines by words', 'one\n|two', [move('wordLeft')], '|one\ntwo'],
    ['knows the ends of lines', 'one\ntw|o\nthree', [move('lineStart')], 'one\n|two\nthree'],
    ['knows the starts of lines', 'one\nt|wo\nthree', [move('lineEnd')], 'one\ntwo|\nthree'],
    ['goes to the ends of all', 'one\nt|wo', [move('start'), insert('^'), move('end'), insert('$')], '^one\ntwo$|'],
    ['deletes a word', 'one two |', [remove('wordLeft', true)], 'one |'],
    ['deletes to the start of the line', 'one\ntwo| three', [remove('lineStart', true)], 'one\n| three'],
    ['puts back', 'one two|', [remove('wordLeft', true), move('start'), { type: 'yank' }], 'two|one '],
    [
      'puts deletions side by side back as one',
      'a b c|',
      [remove('wordLeft', true), remove('wordLeft', true), { type: 'yank' }],
      'a b c|',
    ],
    [
      'puts them back in the order of the text',
      '|a b c',
      [remove('wordRight', true), remove('wordRight', true), { type: 'yank' }],
      'a b| c',
    ],
    ['puts nothing back of single letters', 'ab|', [remove('left'), { type: 'yank' }], 'a|'],
    ['undoes a word of typing at once', '|', ['a', 'b', ' ', 'c', 'd'].map(insert).concat({ type: 'undo' }), 'ab |'],
    [
      'undoes and does again',
      'x|',
      [insert('a'), remove('left'), { type: 'undo' }, { type: 'undo' }, { type: 'redo' }],
      'xa|',
    ],
    [
      'forgets what was undone when something else is done',
      'x|',
      [insert('a'), { type: 'undo' }, insert('b'), { type: 'redo' }],
      'xb|',
    ],
    [
      'replaces what was begun',
      'see @ma|',
      [{ type: 'replace', from: 4, text: '@app/main.ts ' }],
      'see @app/main.ts |',
    ],
    ['keeps the column', 'four\nxy\nfour|', [row(-1), row(-1)], 'four|\nxy\nfour'],
    ['keeps the column over wide characters', '你好\nabc|d', [row(-1)], '你|好\nabcd'],
    ['moves within a wrapped line', 'one two thr|ee', [row(-1, 9)], 'one| two three'],
    ['moves down a wrapped line', 'on|e two three', [row(1, 9)], 'one two th|ree'],
  ])('%s', (_, before, edits, expected) => {
    expect(shown(after(at(before), ...edits))).toBe(expected)
  })
})

describe('editText with the history', () => {
  const history = ['first', 'second\nlines']

  it.each<readonly [string, string, readonly EditorEdit[], string]>([
    ['shows what was sent last', 'dra|ft', [row(-1, 80, history)], 'second\nlines|'],
    ['moves through its lines first', '|', times(2, row(-1, 80, history)), 'secon|d\nlines'],
    ['shows what was sent before', '|', times(3, row(-1, 80, history)), 'first|'],
    ['stays at the oldest', '|', times(5, row(-1, 80, history)), 'first|'],
    [
      'comes back to the draft',
      'dra|ft',
      [...times(3, row(-1, 80, history)), row(1, 80, history), row(1, 80, history)],
      'dra|ft',
    ],
    ['stays at the draft', 'draft|', [row(1, 80, history)], 'draft|'],
    ['can be undone', 'dra|ft', [row(-1, 80, history), { type: 'undo' }], 'dra|ft'],
    [
      'keeps an edited entry, which is the draft then',
      '|',
      [row(-1, 80, history), insert('x'), row(1, 80, history)],
      'second\nlinesx|',
    ],
    [
      'comes back to an edited entry',
      '|',
      [row(-1, 80, history), insert('x'), ...times(2, row(-1, 80, history)), row(1, 80, history), row(1, 80, history)],
      'second\nlinesx|',
    ],
    [
      'keeps the text before Up one Down away, also from an edited entry',
      'dra|ft',
      [row(-1, 80, history), insert('x'), row(1, 80, history)],
      'dra|ft',
    ],
    [
      'keeps a new text after an entry was emptied',
      'dra|ft',
      [row(-1, 80, history), { type: 'put', units: [] }, insert('new'), row(1, 80, history)],
      'new|',
    ],
    [
      'keeps what an undo shows',
      'ab|',
      [remove('left'), row(-1, 80, history), { type: 'undo' }, { type: 'undo' }, row(1, 80, history)],
      'ab|',
    ],
  ])('%s', (_, before, edits, expected) => {
    expect(shown(after(at(before), ...edits))).toBe(expected)
  })
})

describe('editText with chips', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`).join('\n')

  it.each([
    [5, 'a', false],
    [6, 'a', true],
    [124, 'a', true],
    [1, 'x'.repeat(1_000), false],
    [1, 'x'.repeat(1_001), true],
  ])('makes a chip of a long paste: %i lines of %.4s…', (count, line, isChip) => {
    const text = Array.from({ length: count }, () => line).join('\n')
    const { buffer } = after(emptyEditor, { type: 'paste', text })
    expect(buffer.units.some((unit) => typeof unit !== 'string')).toBe(isChip)
    expect(textOfUnits(buffer.units)).toBe(text)
  })

  it('does not count an empty last line', () => {
    expect(shown(after(emptyEditor, { type: 'paste', text: `${lines(6)}\n` }))).toBe('[paste #1: 6 lines]|')
  })

  it('deletes a chip as a whole, restores it by undo, and continues the numbers', () => {
    const one = after(at('see |.'), { type: 'paste', text: lines(124) })
    expect(shown(one)).toBe('see [paste #1: 124 lines]|.')
    const gone = after(one, remove('left'))
    expect(shown(gone)).toBe('see |.')
    expect(shown(after(gone, { type: 'undo' }))).toBe('see [paste #1: 124 lines]|.')
    expect(shown(after(gone, { type: 'image', name: 'shot.png', image }))).toBe('see [image #2: shot.png]|.')
  })

  it('treats a chip as a word', () => {
    const state = after(at('see |'), { type: 'image', name: 'a b.png', image })
    expect(shown(after(state, move('wordLeft')))).toBe('see |[image #1: a b.png]')
    expect(shown(after(state, remove('wordLeft', true), { type: 'yank' }))).toBe('see [image #1: a b.png]|')
  })

  it('empties the undo list after sending, but not the kill buffer', () => {
    const state = after(at('a b|'), remove('wordLeft', true), { type: 'sent' })
    expect(shown(after(state, { type: 'undo' }))).toBe('|')
    expect(shown(after(state, { type: 'yank' }))).toBe('b|')
  })
})
