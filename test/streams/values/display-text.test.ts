// Tests the functions that shorten texts for display.
import { describe, expect, it } from 'vitest'
import { previewStart, previewEnd } from '../../../lib/streams/values/display-text.ts'

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
