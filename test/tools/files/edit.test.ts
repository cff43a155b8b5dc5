// Tests the edit tool.
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { edit } from '../../../lib/tools/index.ts'
import { resultOf, testContext, textOf, toolContract } from '../../contract/tool-contract.ts'
import { cpuMs } from '../../support/cpu-time.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-edit-test-')))
})
afterEach(() => rmSync(folder, { recursive: true }))

const at = (name: string) => path.join(folder, name)
const pair = (oldText: string, newText: string) => ({ oldText, newText })

async function editFile(content: string | Uint8Array, ...edits: { oldText: string; newText: string }[]) {
  writeFileSync(at('a.txt'), content)
  const result = await resultOf(edit, { path: 'a.txt', edits }, testContext(folder))
  return { result, text: textOf(result), content: readFileSync(at('a.txt'), 'utf8') }
}

toolContract('edit', () => ({
  tool: edit,
  succeeding: (cwd) => {
    // each call finds its text again
    writeFileSync(path.join(cwd, 'a.txt'), 'x\n')
    return { path: 'a.txt', edits: [pair('x', 'xy')] }
  },
  failing: (cwd) => {
    writeFileSync(path.join(cwd, 'a.txt'), 'x\n')
    return { path: 'a.txt', edits: [pair('missing', '')] }
  },
  pending: (cwd) => {
    writeFileSync(path.join(cwd, 'a.txt'), `${'x'.repeat(3_000_000)}\nend`)
    return { path: 'a.txt', edits: [pair('end', 'END')] }
  },
  leaves: ['a.txt'],
  invalid: [{}, { path: 'a' }, { path: 'a', edits: [] }, { path: 'a', edits: [{ oldText: 'a' }] }],
}))

describe('edit', () => {
  it('applies several edits to the original, in any order, and names the line of the first change', async () => {
    const { result, text, content } = await editFile(
      'one\ntwo\nthree\n',
      pair('three', 'two'),
      pair('two\n', 'three\n'),
    )
    expect(content).toBe('one\nthree\ntwo\n')
    expect(text).toBe(`Made 2 edits in ${at('a.txt')}, first change in line 2.`)
    expect(result.details).toEqual({
      path: at('a.txt'),
      firstChangedLine: 2,
      diff: '--- a.txt\n+++ a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n three\n+two\n',
    })
  })

  it('returns a diff with the line numbers of the file', async () => {
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index + 1}\n`).join('')
    const { result } = await editFile(
      lines,
      pair('line 50\n', 'line fifty\nand more\n'),
      pair('line 90', 'line ninety'),
    )
    expect(result.details).toMatchObject({
      firstChangedLine: 50,
      diff: expect.stringMatching(/@@ -47,7 \+47,8 @@\n line 47\n[^@]*@@ -87,7 \+88,7 @@\n line 87\n/) as string,
    })
  })

  it('deletes if newText is empty, and inserts', async () => {
    expect((await editFile('a b c', pair(' b', ''))).content).toBe('a c')
    expect((await editFile('a\nb\n', pair('a\n', 'a\nnew\n'))).content).toBe('a\nnew\nb\n')
  })

  it('accepts adjacent edits', async () => {
    expect((await editFile('abcd', pair('ab', '12'), pair('cd', '34'))).content).toBe('1234')
  })

  it('treats dollar signs as plain text', async () => {
    expect((await editFile('price', pair('price', '$& $1 $$'))).content).toBe('$& $1 $$')
  })

  it('keeps the mode', async () => {
    writeFileSync(at('a.txt'), 'old')
    chmodSync(at('a.txt'), 0o751)
    await resultOf(edit, { path: 'a.txt', edits: [pair('old', 'new')] }, testContext(folder))
    expect(statSync(at('a.txt')).mode & 0o777).toBe(0o751)
    expect(readdirSync(folder)).toEqual(['a.txt'])
  })

  describe('line ends', () => {
    it.each([
      ['CRLF in the file, LF in the edit', 'a\r\nb\r\nc\r\n', pair('a\nb\n', 'a\nx\ny\n'), 'a\r\nx\r\ny\r\nc\r\n'],
      ['LF in the file, CRLF in the edit', 'a\nb\n', pair('a\r\nb', 'a\r\nx'), 'a\nx\n'],
      ['a line added to a CRLF file', 'a\r\nb', pair('b', 'b\nc'), 'a\r\nb\r\nc'],
      ['mixed ends outside the edit', 'a\r\nb\nc\r\nd\n', pair('b\n', 'B\n'), 'a\r\nB\nc\r\nd\n'],
      ['mixed ends around unchanged lines', 'a\r\nb\nc\r\n', pair('a\nb\nc\n', 'a\nB\nc\n'), 'a\r\nB\nc\r\n'],
      ['an edit that begins with a line end', 'a\r\nb\r\n', pair('\nb', '\nB'), 'a\r\nB\r\n'],
      ['an edit that removes a line end', 'a\r\nb\r\nc', pair('a\nb', 'ab'), 'ab\r\nc'],
      ['lone carriage returns', 'a\rb\r\nc', pair('a\rb\nc', 'a\rb\nC'), 'a\rb\r\nC'],
      ['a single line', 'a', pair('a', 'a\nb'), 'a\nb'],
    ])('stay correct with %s', async (_, before, change, after) => {
      expect((await editFile(before, change)).content).toBe(after)
    })

    it('are counted correctly deep in a CRLF file', async () => {
      const lines = (ends: string) => Array.from({ length: 2000 }, (_, index) => `line ${index}${ends}`).join('')
      const { content, result } = await editFile(lines('\r\n'), pair('line 1500\nline 1501', 'x\ny'))
      expect(content).toBe(lines('\r\n').replace('line 1500\r\nline 1501', 'x\r\ny'))
      expect(result.details).toMatchObject({ firstChangedLine: 1501 })
    })

    it('stay, like a byte order mark', async () => {
      const { content } = await editFile('\u{FEFF}first\r\nsecond\r\n', pair('first', '1'))
      expect(content).toBe('\u{FEFF}1\r\nsecond\r\n')
    })
  })

  describe('refuses without a change', () => {
    it.each([
      ['an empty oldText', [pair('', 'x')], /oldText is empty/],
      ['an edit that changes nothing', [pair('one', 'one')], /nothing would change/],
      ['an edit that changes line ends only', [pair('one\n', 'one\r\n')], /nothing would change/],
      [
        'overlapping edits',
        [pair('one\ntwo', 'x'), pair('two', 'y')],
        /edits\[0\]\.oldText and edits\[1\]\.oldText overlap/,
      ],
      ['the same edit twice', [pair('one', 'x'), pair('one', 'y')], /overlap/],
      [
        'a text found more than once',
        [pair('o', 'x')],
        /oldText is in .*a\.txt 3 times, at lines 1, 2, 4; nothing was changed/,
      ],
      ['matches that overlap each other', [pair('aXa', 'x')], /2 times, at lines 3;/],
      ['a good edit beside a bad one', [pair('one', 'x'), pair('missing', 'y')], /edits\[1\]\.oldText is not in/],
    ])('%s', async (_, edits, message) => {
      const before = 'one\ntwo\nthree aXaXa\nfour\n'
      const { result, text, content } = await editFile(before, ...edits)
      expect(result.isError).toBe(true)
      expect(text).toMatch(message)
      expect(content).toBe(before)
    })

    it('a text with many matches, without a list of every line', async () => {
      expect((await editFile('a\n'.repeat(1000), pair('a', 'b'))).text).toMatch(
        /many times, at lines 1, 2, [^…]*, 10 …;/,
      )
    })

    it.each([['bytes that are no UTF-8', Buffer.from('caf\xe9', 'latin1'), /is not UTF-8 text/]])(
      '%s',
      async (_, bytes, message) => {
        const { text } = await editFile(bytes, pair('caf', 'x'))
        expect(text).toMatch(message)
        expect(readFileSync(at('a.txt'))).toEqual(bytes)
      },
    )

    it('a missing file, with similar names', async () => {
      writeFileSync(at('settings.json'), '')
      const result = await resultOf(edit, { path: 'setting.json', edits: [pair('a', 'b')] }, testContext(folder))
      expect(textOf(result)).toMatch(/setting\.json does not exist\. Similar names: .*settings\.json\./)
    })
  })

  describe('if the text is not found', () => {
    const source = ['import x from "y"', '', 'function greet(name) {', '\treturn `hello ${name}`', '}', ''].join('\n')

    it('shows the lines that differ only in white space', async () => {
      const { text } = await editFile(source, pair('function greet(name) {\n  return `hello ${name}`\n}', ''))
      expect(text).toContain(
        'The most similar text is at lines 3-5 (only white space differs):\nfunction greet(name) {\n\treturn',
      )
    })

    it('shows the most similar line with its number', async () => {
      const { text } = await editFile(source, pair('function great(names) {', ''))
      expect(text).toMatch(/nothing was changed\. The most similar text is at line 3:\nfunction greet\(name\) \{$/)
    })

    it('reports that no line is similar', async () => {
      expect((await editFile(source, pair('@@@@ ####', ''))).text).toMatch(
        /No line of it is similar; read the file again\.$/,
      )
    })

    it('is fast on a large file', async () => {
      const lines = Array.from({ length: 300_000 }, (_, index) => `const value_${index} = compute(${index})\n`).join('')
      const started = cpuMs()
      const { text } = await editFile(lines, pair('const value_77777 = computed(77777)', ''))
      expect(text).toMatch(/The most similar text is at line \d+/)
      expect(cpuMs() - started).toBeLessThan(2_000)
    })
  })

  it('accepts the older form with one edit at the top level', () => {
    const prepare = (args: Record<string, unknown>) => edit.prepareArguments?.(args)
    expect(prepare({ path: 'a', ...pair('x', 'y') })).toEqual({ path: 'a', edits: [pair('x', 'y')] })
    expect(prepare({ path: 'a', edits: [pair('1', '2')], ...pair('x', 'y') })).toEqual({
      path: 'a',
      edits: [pair('1', '2'), pair('x', 'y')],
    })
    expect(prepare({ path: 'a', edits: '[]' })).toEqual({ path: 'a', edits: '[]' })
  })
})
