// Tests how a file is read line by line.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readLines } from '../../../lib/store/lines/read-lines.ts'
import { binaryText } from '../../support/binary-text.ts'

/** Lines of a text that is read in chunks of at most `most` bytes. */
function linesOf(bytes: Buffer, { from = 0, most = Infinity, end = bytes.length } = {}) {
  const read = (buffer: Buffer, length: number, position: number) =>
    bytes.copy(buffer, 0, position, Math.min(position + Math.min(length, most), bytes.length))
  const lines: { text: string; offset: number; ended: boolean }[] = []
  for (const { bytes: line, offset, ended } of readLines({ read, from, end: () => end })) {
    lines.push({ text: line.toString(), offset, ended }) // at once: the buffer is reused for the next line
  }
  return lines
}

describe('readLines', () => {
  it.each([
    ['nothing', '', []],
    ['one line', 'a\n', [{ text: 'a', offset: 0, ended: true }]],
    [
      'an unended one',
      'a\nbc',
      [
        { text: 'a', offset: 0, ended: true },
        { text: 'bc', offset: 2, ended: false },
      ],
    ],
    [
      'empty lines',
      '\n\n',
      [
        { text: '', offset: 0, ended: true },
        { text: '', offset: 1, ended: true },
      ],
    ],
    ['only line feeds as ends', 'a\r\u2028b\n', [{ text: 'a\r\u2028b', offset: 0, ended: true }]],
  ])('emits %s', (_what, text, lines) => {
    expect(linesOf(Buffer.from(text))).toEqual(lines)
  })

  it('begins and stops at the given offsets', () => {
    expect(linesOf(Buffer.from('a\nb\nc\nd\n'), { from: 2, end: 6 }).map(({ text }) => text)).toEqual(['b', 'c'])
  })

  it('stops if the file ends too early', () => {
    expect(linesOf(Buffer.from('a\nb'), { end: 100 }).map(({ text }) => text)).toEqual(['a', 'b'])
  })

  it('emits the same lines for any split of the bytes', () => {
    const text = fc.array(fc.oneof(fc.constant('\n'), binaryText()), { maxLength: 30 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 9 }), (source, most) => {
        const bytes = Buffer.from(source)
        const lines = linesOf(bytes, { most })
        expect(lines.map(({ text: line, ended }) => line + (ended ? '\n' : '')).join('')).toBe(bytes.toString())
        for (const { offset } of lines) expect(offset === 0 || bytes[offset - 1] === 10).toBe(true)
      }),
    )
  })
})
