// Tests the read tool.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { cpuMs } from '../../support/cpu-time.ts'
import { read } from '../../../lib/tools/index.ts'
import { resultOf, testContext, textOf, toolContract } from '../../contract/tool-contract.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'rxpi-read-test-'))
const context = testContext(folder)
afterAll(() => rmSync(folder, { recursive: true }))

function put(name: string, content: string | Uint8Array): string {
  const file = path.join(folder, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, content)
  return file
}

async function readText(args: { path: string; offset?: number; limit?: number }): Promise<string> {
  return textOf(await resultOf(read, args, context))
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('')

toolContract('read', () => ({
  tool: read,
  succeeding: (cwd) => {
    writeFileSync(path.join(cwd, 'a.txt'), 'hello\n')
    return { path: 'a.txt' }
  },
  failing: () => ({ path: 'missing.txt' }),
  pending: (cwd) => {
    writeFileSync(path.join(cwd, 'large.txt'), '')
    truncateSync(path.join(cwd, 'large.txt'), 40 * 2 ** 30)
    return { path: 'large.txt', offset: 2 }
  },
  leaves: ['a.txt', 'large.txt'],
  invalid: [{}, { path: 1 }, { path: 'a', offset: 0 }, { path: 'a', limit: 1.5 }],
}))

describe('read', () => {
  it('returns a small file unchanged', async () => {
    put('small.txt', 'one\r\ntwo\tö😀')
    expect(await readText({ path: 'small.txt' })).toBe('one\r\ntwo\tö😀')
  })

  it('omits a byte order mark', async () => {
    put('bom.txt', '\u{FEFF}one\n')
    expect(await readText({ path: 'bom.txt' })).toBe('one\n')
  })

  it('reports an empty file', async () => {
    put('empty.txt', '')
    expect(await readText({ path: 'empty.txt' })).toBe('(The file is empty.)')
  })

  it('shows bytes that are not UTF-8 as U+FFFD', async () => {
    put('latin.txt', Buffer.from('caf\xe9\n', 'latin1'))
    expect(await readText({ path: 'latin.txt' })).toBe('caf\u{FFFD}\n')
  })

  it('accepts absolute paths, and ~ for the home folder', async () => {
    expect(await readText({ path: put('deep/er/a.txt', 'deep\n') })).toBe('deep\n')
    const missing = await readText({ path: '~/rxpi-missing-file' })
    expect(missing).toContain(path.join(homedir(), 'rxpi-missing-file'))
  })

  it('reads a file that the system generates', async () => {
    expect(await readText({ path: '/proc/self/status' })).toContain('Name:')
  })

  it('has the real range in its details', async () => {
    put('details.txt', numbered(10))
    const result = await resultOf(read, { path: 'details.txt', offset: 3, limit: 2 }, context)
    expect(result.details).toEqual({ path: path.join(folder, 'details.txt'), firstLine: 3, lines: 2, isWhole: false })
  })

  describe('a long file', () => {
    it('is cut after 2,000 lines, with a hint how to continue', async () => {
      put('lines.txt', numbered(5000))
      const text = await readText({ path: 'lines.txt' })
      expect(text.startsWith('line 1\n')).toBe(true)
      expect(text).toMatch(/\nline 2000\n\[Lines 1-2000 are shown, \d+ KB follow\. Continue with offset=2001\]$/)
    })

    it('continues as the notice says, without gap or repeat, to the end', async () => {
      const content = Array.from({ length: 3000 }, (_, index) => `${index} ${'x'.repeat(index % 90)}é\n`).join('')
      put('pieces.txt', content)
      let whole = ''
      for (let offset: number | undefined = 1; offset !== undefined;) {
        const text = await readText({ path: 'pieces.txt', offset })
        const next: RegExpExecArray | null = /\[Lines .* offset=(\d+)\]$/.exec(text)
        whole += next === null ? text : text.slice(0, next.index)
        offset = next === null ? undefined : Number(next[1])
      }
      expect(whole).toBe(content)
    })

    it('is cut after 50 KB at the end of a line', async () => {
      put('wide.txt', `${'y'.repeat(999)}\n`.repeat(100))
      const text = await readText({ path: 'wide.txt' })
      expect(text).toMatch(/y\n\[Lines 1-51 are shown, 48 KB follow\. Continue with offset=52\]$/)
    })

    it('returns the requested lines', async () => {
      put('lines.txt', numbered(5000))
      const text = await readText({ path: 'lines.txt', offset: 4321, limit: 2 })
      expect(text).toMatch(/^line 4321\nline 4322\n\[Lines 4321-4322 are shown, .* Continue with offset=4323\]$/)
    })

    it('adds no notice if the range ends with the file', async () => {
      put('ten.txt', numbered(10))
      expect(await readText({ path: 'ten.txt', offset: 9, limit: 2 })).toBe('line 9\nline 10\n')
      expect(await readText({ path: 'ten.txt', offset: 9, limit: 5000 })).toBe('line 9\nline 10\n')
    })

    it.each([
      ['with', 'a\nb\n'],
      ['without', 'a\nb'],
    ])('ends with its last line %s an end of line', async (_, content) => {
      put('end.txt', content)
      expect(await readText({ path: 'end.txt', limit: 2 })).toBe(content)
      expect(await readText({ path: 'end.txt', offset: 3 })).toMatch(
        /end\.txt has 2 lines: offset 3 is past its end\.$/,
      )
    })

    it.each([65_535, 65_536, 65_537])('is counted correctly around a chunk of %d bytes', async (bytes) => {
      put('chunk.txt', `${'a'.repeat(bytes - 1)}\nsecond\nthird`)
      expect(await readText({ path: 'chunk.txt', offset: 2 })).toBe('second\nthird')
    })

    it('if its first line is over 50 KB, shows the beginning of that line and both ways to continue', async () => {
      const file = put("it's one line.txt", `${'é'.repeat(40_000)}\nnext\n`)
      const text = await readText({ path: file })
      expect(text.startsWith('é'.repeat(25_600))).toBe(true)
      const command = /Read its rest with bash: (.*)\. For the next line use offset=2\]$/.exec(text)?.[1] ?? ''
      const rest = execFileSync('/bin/sh', ['-c', command]).toString()
      expect(rest).toBe(`${'é'.repeat(14_400)}\nnext\n`)
      expect(await readText({ path: file, offset: 2 })).toBe('next\n')
    })

    it('is never loaded whole: 10 GB are as fast as 10 KB', async () => {
      const file = put('huge.txt', numbered(3000))
      truncateSync(file, 10 * 2 ** 30)
      const before = process.memoryUsage().rss
      const started = cpuMs()
      expect(await readText({ path: 'huge.txt', limit: 3 })).toMatch(/^line 1\nline 2\nline 3\n\[.*10 GB follow/)
      expect(cpuMs() - started).toBeLessThan(1000)
      expect(process.memoryUsage().rss - before).toBeLessThan(50 * 2 ** 20)
    })
  })

  describe('a file that is not text', () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )

    it.each([
      ['png', 'image/png', png],
      ['jpg', 'image/jpeg', Buffer.from('ffd8ffe000104a464946', 'hex')],
      ['gif', 'image/gif', Buffer.from('GIF89a\x01\x00\x01\x00', 'latin1')],
      ['webp', 'image/webp', Buffer.from('RIFF\x1a\x00\x00\x00WEBPVP8 ', 'latin1')],
    ])('%s is returned as an image, whatever its name', async (_, mimeType, bytes) => {
      const file = put('picture.dat', bytes)
      const result = await resultOf(read, { path: 'picture.dat' }, context)
      expect(result.content).toEqual([
        { type: 'text', text: `${file} (${mimeType}, ${bytes.length} bytes)` },
        { type: 'image', mimeType, data: bytes.toString('base64') },
      ])
    })

    it('an image that is too big is refused with a remedy', async () => {
      const file = put('big.png', png)
      truncateSync(file, 4_000_000)
      const result = await resultOf(read, { path: 'big.png' }, context)
      expect(result.isError).toBe(true)
      expect(textOf(result)).toMatch(/3\.8 MB; at most 3\.6 MB can be shown\. Make it smaller/)
    })

    it.each([
      ['NUL bytes', Buffer.from('ELF\0\x01\x02')],
      ['UTF-16', Buffer.from('\u{FEFF}hello', 'utf16le')],
      ['NUL bytes late in the shown part', Buffer.from(`${'a\n'.repeat(1000)}\0`)],
    ])('a file with %s is refused with an explanation', async (_, bytes) => {
      put('program.bin', bytes)
      const result = await resultOf(read, { path: 'program.bin' }, context)
      expect(result.isError).toBe(true)
      expect(textOf(result)).toMatch(/is a binary file \(.*\); read shows text and images/)
    })

    it.each(['/dev/zero', 'pipe'])('%s is refused at once', async (name) => {
      if (name === 'pipe') execFileSync('mkfifo', [path.join(folder, name)])
      expect(await readText({ path: name })).toContain('not a regular file')
    })
  })

  describe('a missing file', () => {
    it('lists similar names', async () => {
      put('near/README.md', '')
      put('near/settings.json', '')
      put('near/other', '')
      expect(await readText({ path: 'near/readme.txt' })).toBe(
        `Could not read it: ${folder}/near/readme.txt does not exist. Similar names: ${folder}/near/README.md.`,
      )
      expect(await readText({ path: 'near/setings.json' })).toContain(`Similar names: ${folder}/near/settings.json.`)
    })

    it('names the part of the path that does not exist', async () => {
      put('sources/a.ts', '')
      expect(await readText({ path: 'source/deep/a.ts' })).toBe(
        `Could not read it: ${folder}/source/deep/a.ts does not exist: ${folder} has no source. Similar names: ${folder}/sources.`,
      )
    })

    it.each([
      ['a file used as a folder', 'ten-file/x', /a part of the path is a file/],
      ['a circle of links', 'circle', /symbolic links lead in a circle/],
      ['a name too long', 'n'.repeat(300), /the name is too long/],
      ['a NUL in the name', 'a\0b', /null bytes/],
    ])('and %s are distinguished', async (_, name, message) => {
      put('ten-file', '')
      rmSync(path.join(folder, 'circle'), { force: true })
      symlinkSync('circle', path.join(folder, 'circle'))
      const result = await resultOf(read, { path: name }, context)
      expect(result.isError).toBe(true)
      expect(textOf(result)).toMatch(message)
    })
  })

  it('locks the real target of the path [LOOP-6d]', () => {
    put('target.txt', '')
    symlinkSync('target.txt', path.join(folder, 'alias'))
    const real = execFileSync('realpath', [folder]).toString().trim()
    expect(read.locks?.({ path: 'alias' }, { cwd: folder })).toEqual({ read: [path.join(real, 'target.txt')] })
  })
})
