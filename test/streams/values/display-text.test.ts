// Tests the functions that shorten texts for display.
import { describe, expect, it } from 'vitest'
import { previewStart, previewEnd, showActiveCharacters } from '../../../lib/streams/values/display-text.ts'

describe('previewStart', () => {
  it.each([
    ['Fix  the\n\tbuild ', 80, 'Fix the build'],
    ['one two three', 8, 'one two…'],
    ['one two', 7, 'one two'],
    ['ab😀cd', 4, 'ab…'],
    ['', 80, ''],
    [' \n ', 80, ''],
  ])('of %j in %d is %j', (text, limit, words) => {
    expect(previewStart(text, limit)).toBe(words)
  })

  it.each([
    ['a word', 'a', 2_000, 'b', 'a…'],
    ['a word and nothing more', 'a', 2_000, '', 'a'],
    ['a whole line', 'a'.repeat(80), 2_000, 'b', `${'a'.repeat(79)}…`],
    ['half a character', 'a', 1_318, '😀', 'a…'],
    ['nothing', '', 2_000, 'b', '…'],
  ])('marks omitted text after a gap: %s', (_, before, gap, behind, words) => {
    expect(previewStart(`${before}${' '.repeat(gap)}${behind}`)).toBe(words)
  })

  it('of a very long text costs only what is shown', () => {
    expect(previewStart('word '.repeat(1_000_000))).toHaveLength(80)
  })
})

describe('previewEnd', () => {
  it.each([
    ['one two three', 8, '…o three'],
    ['one two', 7, 'one two'],
    ['ab😀cd', 4, '…cd'],
    ['', 80, ''],
  ])('of %j in %d is %j', (text, limit, words) => {
    expect(previewEnd(text, limit)).toBe(words)
  })
  it.each([
    ['a', 'b', '…b'],
    ['', 'b', 'b'],
  ])('marks omitted text before a gap: %j', (before, behind, words) => {
    expect(previewEnd(`${before}${' '.repeat(2_000)}${behind}`)).toBe(words)
  })
})

describe('showActiveCharacters', () => {
  it.each([
    ['a family', '👩\u200d👩\u200d👧 👩🏽\u200d💻 ❤\ufe0f\u200d🔥'],
    ['Persian', 'می\u200cخواهم'],
    ['Hindi, Sinhala', 'क्\u200dष ශ්\u200dරී'],
  ])('leaves the joiners that draw %s', (_, text) => {
    expect(showActiveCharacters(text)).toBe(text)
  })

  it.each([
    ['between letters of other scripts', 'rm\u200d-rf a\u200cb', 'rm<U+200D>-rf a<U+200C>b'],
    ['that stand beside each other', 'ی\u200c\u200cخ 👩\u200d\u200d👧', 'ی<U+200C><U+200C>خ 👩<U+200D><U+200D>👧'],
    ['at an end', '👩\u200d \u200d👩 ی\u200c', '👩<U+200D> <U+200D>👩 ی<U+200C>'],
    ['of another kind, and tags', 'ی\u200bخ 🏴\u{e0067}', 'ی<U+200B>خ 🏴<U+E0067>'],
  ])('shows joiners %s [S19a]', (_, text, shown) => {
    expect(showActiveCharacters(text)).toBe(shown)
  })
})
