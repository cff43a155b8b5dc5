// Tests `joinedLines`: the written bytes are each line and its line feed, however lines are joined.
import { expect, it } from 'vitest'
import { joinLines } from '../../../lib/server/protocol/line-writer.ts'

function joined(lines: readonly string[]): string | Buffer {
  return joinLines(lines, lines.join('').length)
}

it.each([
  ['nothing', [], ''],
  ['one', ['a'], 'a\n'],
  ['some', ['a', 'ü', '\u2028'], 'a\nü\n\u2028\n'],
])('joins %s into a string', (_, lines, expected) => {
  expect(joined(lines)).toBe(expected)
})

it('joins many lines into UTF-8 bytes', () => {
  const lines = Array.from({ length: 300 }, (_, index) => `line ${index} ü`)
  const bytes = joined(lines)
  expect(bytes).toBeInstanceOf(Buffer)
  expect(bytes.toString()).toBe(`${lines.join('\n')}\n`)
})

it('joins the same lines once for all writers', () => {
  const line = 'x'.repeat(5_000)
  const first = joined([line, 'b'])
  expect(joined([line, 'b'])).toBe(first)
  expect(joined([line, 'c'])).not.toBe(first)
  expect(joined([line, 'c']).toString()).toBe(`${line}\nc\n`)
})
