// Tests edits whose text is in the file except for blanks, quotes, dashes and Unicode forms.
import { expect, it, describe } from 'vitest'
import { cpuMs } from '../../support/cpu-time.ts'
import { applyEdits } from '../../../lib/tools/files/apply-edits.ts'
import { randomOf } from '../../support/random-of.ts'
import { sampleSize } from '../../support/sample-size.ts'
import { findLenientMatch } from '../../../lib/tools/files/lenient-match.ts'

const edit = (text: string, oldText: string, newText: string) => applyEdits(text, [{ oldText, newText }], '/f')

describe('an edit whose text does not match exactly', () => {
  it.each([
    ['trailing blanks in the file', 'a  \nb\t\nc\n', 'a\nb\nc', 'a\nB\nc', 'a  \nB\t\nc\n'],
    ['trailing blanks in the edit', 'a\nb\nc\n', 'a \nb \t\nc', 'a \nX\nc', 'a\nX\nc\n'],
    ['a trailing blank at the end of the edit', 'a\nb\nc\n', 'a\nb ', 'a\nX', 'a\nX\nc\n'],
    ['smart quotes', 'say(“hi”, ‘x’)\n', `say("hi", 'x')`, `say("hi", 'y')`, 'say(“hi”, ‘y’)\n'],
    ['dashes', 'a — b – c − d\n', 'a - b - c - d', 'a - b - c - e', 'a — b – c − e\n'],
    ['a no-break space', 'a\u00a0b = 1\n', 'a b = 1', 'a b = 2', 'a\u00a0b = 2\n'],
    ['ligatures and wide letters', 'ﬁle ｘ = 1\n', 'file x = 1', 'file x = 2', 'ﬁle ｘ = 2\n'],
    ['decomposed letters', 'cafe\u0301 one\n', 'caf\u00e9 one', 'caf\u00e9 two', 'cafe\u0301 two\n'],
    ['CRLF beside blanks', 'a  \r\nb\r\nc\r\n', 'a\nb', 'a\nB', 'a  \r\nB\r\nc\r\n'],
    ['a change in the odd part', 'x = “a”\n', 'x = "a"', 'x = "b"', 'x = “b”\n'],
    ['a new text without anything alike', '“a”\n', '"a"', 'b', 'b\n'],
  ])('is applied if it matches once apart from %s [TOOLS-edit-lenient]', (_, text, oldText, newText, wanted) => {
    const applied = edit(text, oldText, newText)
    expect(applied.content).toBe(wanted)
    expect(applied.leniency).toBe(
      'oldText did not match exactly, but once apart from trailing blanks, quotes, dashes and Unicode forms.',
    )
  })

  it.each([
    ['it matches twice', '“a”\n‘x’\n„a‟\n', '"a"', /Apart from .* it is there more than once\./],
    ['a part of a character is meant', 'ﬁ\n', 'f', /is not in/],
    ['leading blanks differ', '\ta\n', '  a', /is not in/],
    ['it is blank', 'a\u00a0\n', ' ', /is not in/],
    ['a blank at its end stands within a line', 'a“b\n', 'a" ', /is not in/],
    ['letters differ', 'abc\n', 'abd', /is not in/],
  ])('is refused if %s [TOOLS-edit-lenient]', (_, text, oldText, message) => {
    expect(() => edit(text, oldText, 'new')).toThrow(message)
  })

  it('is refused if an exact match would be ambiguous, and exact matches go first', () => {
    expect(() => edit('"a"\n"a"\n', '"a"', 'b')).toThrow(/2 times/)
    expect(edit('"a"\n“a”\n', '"a"', 'b')).toMatchObject({ content: 'b\n“a”\n' })
    expect(edit('"a"\n', '"a"', 'b').leniency).toBeUndefined()
  })

  it('names the edits of several', () => {
    const edits = [
      { oldText: 'one', newText: '1' },
      { oldText: '"two"', newText: '2' },
    ]
    expect(applyEdits('one “two”\n', edits, '/f')).toMatchObject({
      content: '1 2\n',
      leniency: expect.stringMatching(/^edits\[1\]\.oldText did not match exactly/) as string,
    })
  })
})

it('keeps every other byte', () => {
  const text = '“x”\u00a0\n\ttext — more  \nﬁn\n'
  const found = findLenientMatch(text, 'text - more\nfin', 'text - less\nfin')
  expect(found).toMatchObject({ start: 6, end: text.length - 1 })
  if (found === undefined || !('start' in found)) throw new Error('not found')
  expect(text.slice(0, found.changeStart) + found.replacement + text.slice(found.changeEnd)).toBe(
    '“x”\u00a0\n\ttext — less  \nﬁn\n',
  )
})

it('is quick in 10 MB', () => {
  const text = `${'const value = compute(1) // —\n'.repeat(300_000)}last “one”\n`
  const started = cpuMs()
  expect(findLenientMatch(text, 'last "one"', 'x')).toMatchObject({ start: 9_000_000 })
  expect(cpuMs() - started).toBeLessThan(6_000)
})

it('turns the old text into the new one, in any mix of forms [TOOLS-edit-lenient]', () => {
  const random = randomOf(281)
  const below = (limit: number) => Math.floor(random() * limit)
  const parts = [
    'a',
    ' ',
    '\t',
    '\n',
    '“',
    '"',
    "'",
    '‘',
    '-',
    '—',
    'ﬁ',
    'é',
    'e\u0301',
    '\u0301',
    '\u00a0',
    '가',
    '\u1100',
    '\u1161',
    '👍',
  ]
  let found = 0
  for (let round = 0; round < sampleSize(10_000, 300_000); round += 1) {
    const text = Array.from({ length: 1 + below(12) }, () => parts[below(parts.length)] ?? '').join('')
    const start = below(text.length)
    const wanted = text.slice(start, start + 1 + below(text.length - start)).normalize(below(2) === 0 ? 'NFKC' : 'NFD')
    const plain = wanted.replaceAll(/[“”]/g, '"').replaceAll('—', '-')
    const replacement = `${plain.slice(0, below(plain.length))}Z${plain.slice(below(plain.length))}`
    const match = text.includes(plain) ? undefined : findLenientMatch(text, plain, replacement)
    if (match === undefined || !('start' in match)) continue
    found += 1
    const result =
      text.slice(match.start, match.changeStart) + match.replacement + text.slice(match.changeEnd, match.end)
    expect([normal(text.slice(match.start, match.end)), normal(result)]).toEqual([normal(plain), normal(replacement)])
  }
  expect(found).toBeGreaterThan(1_000)
})

function normal(text: string): string {
  const plain = text.normalize('NFKC').replaceAll(/[‘’]/g, "'").replaceAll(/[“”]/g, '"').replaceAll('—', '-')
  return plain
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
}
