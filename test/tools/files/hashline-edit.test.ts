// Tests reads with anchors and edits by anchors.
// Over 250 lines: the cases share a session that shows a file and edits it by its anchors.
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cpuMs } from '../../support/cpu-time.ts'
import type { AnyTool } from '../../../lib/streams/ports/tool.ts'
import { builtInTools } from '../../../lib/tools/index.ts'
import { resultOf, testContext, textOf, toolContract } from '../../contract/tool-contract.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-hashline-test-')))
})
afterEach(() => rmSync(folder, { recursive: true }))

const at = (name: string) => path.join(folder, name)
const content = (name = 'a.txt') => readFileSync(at(name), 'utf8')
const put = (text: string | Uint8Array, name = 'a.txt') => writeFileSync(at(name), text)

interface Edit {
  readonly op: 'replace' | 'append' | 'prepend'
  readonly pos?: string | undefined
  readonly end?: string | undefined
  readonly lines: readonly string[]
}

/** The tools of one session on the temporary folder. */
function session(id = 'one') {
  const registry = builtInTools()
  const call = async (name: string, args: object) => {
    const tool = registry.find((each) => each.name === name) as AnyTool
    const result = await resultOf(tool, args, testContext(folder, { sessionId: id }))
    return { text: textOf(result), isError: result.isError === true, details: result.details }
  }
  return {
    call,
    /** Anchors of the shown lines, by number from 1. */
    show: async (name = 'a.txt', range: object = {}) =>
      anchorsIn((await call('read', { path: name, hashes: true, ...range })).text),
    edit: (edits: readonly Edit[], name = 'a.txt') => call('hashline_edit', { path: name, edits }),
  }
}

function anchorsIn(text: string): string[] {
  const found: string[] = []
  for (const [, anchor = '', number = ''] of text.matchAll(/^((\d+)#[0-9a-z]+):/gm)) found[Number(number)] = anchor
  return found
}

toolContract('hashline_edit', () => {
  const tool = builtInTools().find(({ name }) => name === 'hashline_edit') as AnyTool
  return {
    tool,
    succeeding: (cwd) => {
      writeFileSync(path.join(cwd, 'a.txt'), 'x\n')
      return { path: 'a.txt', edits: [{ op: 'append', lines: ['y'] }] }
    },
    failing: (cwd) => {
      writeFileSync(path.join(cwd, 'a.txt'), 'x\n')
      return { path: 'a.txt', edits: [{ op: 'replace', pos: '1#aaaaa', lines: [] }] }
    },
    pending: (cwd) => {
      writeFileSync(path.join(cwd, 'a.txt'), 'x\n'.repeat(300_000))
      return { path: 'a.txt', edits: [{ op: 'prepend', lines: ['y'] }] }
    },
    leaves: ['a.txt'],
    invalid: [{}, { path: 'a' }, { path: 'a', edits: [] }, { path: 'a', edits: [{ op: 'swap', lines: [] }] }],
  }
})

describe('read with hashes', () => {
  it('shows each line as N#hash:text, the same for an unchanged file, another for a changed one [TOOLS-edit-hashline]', async () => {
    put('one\ntwo\n\nfour')
    const { call } = session()
    const first = await call('read', { path: 'a.txt', hashes: true })
    expect(first.text).toMatch(/^1#[0-9a-z]{5}:one\n2#[0-9a-z]{5}:two\n3#[0-9a-z]{5}:\n4#[0-9a-z]{5}:four\n$/)
    expect((await call('read', { path: 'a.txt', hashes: true })).text).toBe(first.text)
    put('one\ntwo\n\nfive')
    expect(anchorsIn((await call('read', { path: 'a.txt', hashes: true })).text)[1]).not.toBe(anchorsIn(first.text)[1])
  })

  it('continues at an offset, says what is left, and hides line ends and the byte order mark', async () => {
    put('\u{FEFF}a\r\nb\r\nc\r\n')
    const { call } = session()
    const { text } = await call('read', { path: 'a.txt', hashes: true, limit: 1 })
    expect(text).toMatch(/^1#[0-9a-z]{5}:a\n\[Lines 1-1 of 3 are shown\. Continue with offset=2\]\n$/)
    expect((await call('read', { path: 'a.txt', hashes: true, offset: 3 })).text).toMatch(/^3#[0-9a-z]{5}:c\n$/)
  })

  it.each([
    ['an empty file', '', /^\(The file is empty\.\)$/],
    [
      'a line longer than a result',
      `${'x'.repeat(60_000)}\nb\n`,
      /^\[Line 1 is longer than 50 KB and has no anchor\. For the next line use offset=2\]$/,
    ],
    ['an offset past the end', 'a\n', /has 1 line: offset 9 is past its end/],
    ['a binary file', 'a\0b', /is a binary file/],
    ['bytes that are no UTF-8', Buffer.from('caf\xe9', 'latin1'), /is not UTF-8 text: read it without hashes/],
  ])('handles %s', async (name, text, message) => {
    put(text)
    const { call } = session()
    const range = name.includes('offset') ? { offset: 9 } : {}
    expect((await call('read', { path: 'a.txt', hashes: true, ...range })).text).toMatch(message)
  })
})

describe('hashline_edit', () => {
  it('replaces, appends and prepends by anchors, all against the file as shown [TOOLS-edit-hashline]', async () => {
    put('one\ntwo\nthree\nfour\nfive\n')
    const { show, edit } = session()
    const line = await show()
    const { text, details } = await edit([
      { op: 'append', pos: line[5], lines: ['six'] },
      { op: 'replace', pos: line[2], end: line[3], lines: ['2', '2½', '3'] },
      { op: 'prepend', pos: line[1], lines: ['zero'] },
    ])
    expect(content()).toBe('zero\none\n2\n2½\n3\nfour\nfive\nsix\n')
    expect(text).toMatch(/^Made 3 edits in .*a\.txt, first change in line 1\.\nThe lines now:\n1#[0-9a-z]{5}:zero\n/)
    expect(details).toMatchObject({
      firstChangedLine: 1,
      diff: expect.stringContaining('-two\n-three\n+2\n+2½\n+3') as string,
    })
  })

  it('deletes without lines, fills an empty file, and takes the ends of the file without pos', async () => {
    put('')
    const { show, edit } = session()
    await edit([{ op: 'append', lines: ['a', 'b', 'c'] }])
    expect(content()).toBe('a\nb\nc\n')
    const line = await show()
    await edit([
      { op: 'replace', pos: line[2], lines: [] },
      { op: 'prepend', lines: ['first'] },
      { op: 'append', lines: ['last'] },
    ])
    expect(content()).toBe('first\na\nc\nlast\n')
  })

  it('returns anchors that the next edit can use [TOOLS-edit-hashline]', async () => {
    put('one\ntwo\n')
    const { show, edit } = session()
    const line = await show()
    const { text } = await edit([{ op: 'replace', pos: line[1], lines: ['1', '1'] }])
    await edit([{ op: 'replace', pos: anchorsIn(text)[2], lines: ['1½'] }])
    expect(content()).toBe('1\n1½\ntwo\n')
  })

  it.each<[string, string, (line: string[]) => Edit, string]>([
    ['CRLF', 'a\r\nb\r\n', (line) => ({ op: 'replace', pos: line[1], lines: ['x', 'y'] }), 'x\r\ny\r\nb\r\n'],
    ['CRLF in the lines', 'a\nb\n', (line) => ({ op: 'replace', pos: line[1], lines: ['x\r\ny\r\n'] }), 'x\ny\nb\n'],
    [
      'a byte order mark',
      '\u{FEFF}a\nb\n',
      (line) => ({ op: 'replace', pos: line[1], lines: ['x'] }),
      '\u{FEFF}x\nb\n',
    ],
    ['no final line end, replaced', 'a\nb', (line) => ({ op: 'replace', pos: line[2], lines: ['x', 'y'] }), 'a\nx\ny'],
    ['no final line end, appended', 'a\r\nb', (line) => ({ op: 'append', pos: line[2], lines: ['x'] }), 'a\r\nb\r\nx'],
    ['no final line end, prepended', 'a\nb', (line) => ({ op: 'prepend', pos: line[2], lines: ['x'] }), 'a\nx\nb'],
    ['one line without an end', 'a', (line) => ({ op: 'append', pos: line[1], lines: ['x'] }), 'a\nx'],
    ['lone carriage returns', 'a\rb\nc\n', (line) => ({ op: 'replace', pos: line[2], lines: ['x'] }), 'a\rb\nx\n'],
    ['Unicode', 'ä👍\n\u2028\n', (line) => ({ op: 'append', pos: line[1], lines: ['ö'] }), 'ä👍\nö\n\u2028\n'],
    ['an empty line', 'a\n\nb\n', (line) => ({ op: 'replace', pos: line[2], lines: [''] }), ''],
    ['the line as read shows it', 'a\nb\n', (line) => ({ op: 'replace', pos: `${line[1]}:a`, lines: ['x'] }), 'x\nb\n'],
  ])('keeps everything else, with %s', async (name, before, edit, after) => {
    put(before)
    const tools = session()
    const { isError } = await tools.edit([edit(await tools.show())])
    expect([isError, content()]).toEqual(name === 'an empty line' ? [true, before] : [false, after])
  })

  describe('refuses without a change', () => {
    const before = 'one\ntwo\nthree\nfour\n'
    it.each<[string, (line: string[]) => readonly Edit[], RegExp]>([
      [
        'overlapping ranges',
        (line) => [
          { op: 'replace', pos: line[1], end: line[3], lines: ['x'] },
          { op: 'replace', pos: line[3], lines: ['y'] },
        ],
        /edits\[0\] and edits\[1\] overlap/,
      ],
      [
        'an insertion within a range',
        (line) => [
          { op: 'replace', pos: line[1], end: line[3], lines: ['x'] },
          { op: 'append', pos: line[2], lines: ['y'] },
        ],
        /overlap/,
      ],
      [
        'a range that ends above its beginning',
        (line) => [{ op: 'replace', pos: line[3], end: line[1], lines: [] }],
        /is above pos/,
      ],
      [
        'a text that is no anchor',
        () => [{ op: 'replace', pos: 'two', lines: [] }],
        /"two" is not an anchor such as 12#k7q2f/,
      ],
      [
        'a mistyped number',
        (line) => [{ op: 'replace', pos: line[1]?.replace(/^1/, '2'), lines: [] }],
        /is not an anchor that was shown/,
      ],
      [
        'another text behind the anchor',
        (line) => [{ op: 'replace', pos: `${line[1]}:two`, lines: [] }],
        /the text behind 1#\w+ is not that line's/,
      ],
      [
        'an unknown version',
        () => [{ op: 'replace', pos: '2#zzzzz', lines: [] }],
        /the lines of 2#zzzzz are not remembered/,
      ],
      ['a replace without pos', () => [{ op: 'replace', lines: ['x'] }], /replace needs pos/],
      ['an insertion of nothing', (line) => [{ op: 'append', pos: line[1], lines: [] }], /nothing would be added/],
      [
        'lines with anchors',
        (line) => [{ op: 'replace', pos: line[1], lines: [`${line[1]}:x`] }],
        /lines must be the text alone/,
      ],
      [
        'an edit that changes nothing',
        (line) => [{ op: 'replace', pos: line[1], lines: ['one'] }],
        /nothing would change/,
      ],
      [
        'a placeholder of a secret [S18c]',
        (line) => [{ op: 'replace', pos: line[1], lines: ['[redacted:key]'] }],
        /stands for a secret/,
      ],
      [
        'a good edit beside a bad one',
        (line) => [
          { op: 'append', pos: line[1], lines: ['x'] },
          { op: 'replace', pos: '9#zzzzz', lines: [] },
        ],
        /edits\[1\]: /,
      ],
    ])('%s', async (_, edits, message) => {
      put(before)
      const { show, edit } = session()
      const { text, isError } = await edit(edits(await show()))
      expect(isError).toBe(true)
      expect(text).toMatch(message)
      expect(content()).toBe(before)
    })

    it('a line that was not shown', async () => {
      put(before)
      const { show, edit, call } = session()
      const whole = await show()
      const other = session('two')
      await other.show('a.txt', { limit: 1 })
      expect((await other.edit([{ op: 'replace', pos: whole[3], lines: [] }])).text).toMatch(
        /not an anchor that was shown|not remembered/,
      )
      rmSync(at('a.txt'))
      expect((await call('hashline_edit', { path: 'a.txt', edits: [{ op: 'append', lines: ['x'] }] })).text).toMatch(
        /does not exist/,
      )
      expect((await edit([{ op: 'replace', pos: whole[1], lines: [] }])).isError).toBe(true)
    })

    it('anchors of another file, although the lines are the same [TOOLS-edit-hashline]', async () => {
      put(before)
      put(before, 'b.txt')
      const { show, edit } = session()
      const line = await show('a.txt')
      await show('b.txt')
      const { text } = await edit([{ op: 'replace', pos: line[1], lines: ['x'] }], 'b.txt')
      expect(text).toMatch(/is an anchor of another file, .*a\.txt/)
      expect(content('b.txt')).toBe(before)
    })
  })

  describe('in a file that has changed since it was shown', () => {
    const lines = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`)
    const text = (all: readonly string[]) => all.map((line) => `${line}\n`).join('')

    it.each<[string, readonly string[], readonly string[]]>([
      [
        'lines above were added',
        ['new', 'new', ...lines],
        ['new', 'new', ...lines.slice(0, 5), 'X', ...lines.slice(6)],
      ],
      ['lines above were removed', lines.slice(2), [...lines.slice(2, 5), 'X', ...lines.slice(6)]],
      [
        'lines below were changed',
        [...lines.slice(0, 9), 'new'],
        [...lines.slice(0, 5), 'X', ...lines.slice(6, 9), 'new'],
      ],
      [
        'a block was moved',
        [...lines.slice(4, 8), ...lines.slice(0, 4), ...lines.slice(8)],
        ['line 5', 'X', 'line 7', 'line 8', ...lines.slice(0, 4), ...lines.slice(8)],
      ],
    ])('finds a line again if %s [TOOLS-edit-drift]', async (_, present, wanted) => {
      put(text(lines))
      const { show, edit } = session()
      const line = await show()
      put(text(present))
      const result = await edit([{ op: 'replace', pos: line[6], lines: ['X'] }])
      expect(result.text).toContain('The file had changed since it was shown; the lines were found again.')
      expect(result.text).toContain('Note: the file had changed since you last read it')
      expect(result.details).toMatchObject({ recovered: true })
      expect(content()).toBe(text(wanted))
    })

    it.each<[string, readonly string[]]>([
      ['the line was changed', [...lines.slice(0, 5), 'changed', ...lines.slice(6)]],
      ['its neighbour was changed', [...lines.slice(0, 4), 'changed', ...lines.slice(5)]],
      ['a line was added beside it', [...lines.slice(0, 6), 'new', ...lines.slice(6)]],
      ['it was removed', [...lines.slice(0, 5), ...lines.slice(6)]],
      ['it was doubled', [...lines.slice(0, 6), ...lines.slice(5)]],
      ['everything is gone', []],
    ])('refuses, with the lines now, if %s [TOOLS-edit-drift]', async (_, present) => {
      put(text(lines))
      const { show, edit } = session()
      const line = await show()
      put(text(present))
      const result = await edit([{ op: 'replace', pos: line[6], lines: ['X'] }])
      expect(result.isError).toBe(true)
      expect(result.text).toMatch(
        /^Nothing was changed in .*a\.txt: the file has changed at line 6 since it was shown\.\n/,
      )
      expect(content()).toBe(text(present))
      const [fresh] = Object.values(anchorsIn(result.text))
      if (fresh === undefined) return
      expect((await edit([{ op: 'replace', pos: fresh, lines: ['fresh'] }])).isError).toBe(false)
    })

    it('never takes an equal line for another [TOOLS-edit-drift]', async () => {
      put('x\na\na\ny\n')
      const { show, edit } = session()
      const line = await show()
      put('x\na\ny\n')
      expect((await edit([{ op: 'replace', pos: line[2], lines: ['X'] }])).isError).toBe(true)
      expect((await edit([{ op: 'replace', pos: line[3], lines: ['X'] }])).isError).toBe(true)
      expect(content()).toBe('x\na\ny\n')
    })

    it('merges with a change between the edit and the nearest line that occurs once [TOOLS-edit-drift]', async () => {
      put(text(['top', 'a', 'b', 'mid', 'c', 'd', 'end', 'a', 'b', 'mid', 'c', 'd']))
      const { show, edit } = session()
      const line = await show()
      put(text(['top', 'a', 'B', 'new', 'b', 'mid', 'c', 'd', 'end', 'a', 'b', 'mid', 'c', 'd']))
      const result = await edit([{ op: 'replace', pos: line[5], lines: ['C'] }])
      expect(result.text).toContain('the lines were found again')
      expect(content()).toBe(text(['top', 'a', 'B', 'new', 'b', 'mid', 'C', 'd', 'end', 'a', 'b', 'mid', 'c', 'd']))
    })

    it('refuses overlapping edits there too', async () => {
      put(text(lines))
      const { show, edit } = session()
      const line = await show()
      put(text(['new', ...lines.slice(0, 2), 'changed', ...lines.slice(3)]))
      const overlap = (from: number) =>
        edit([
          { op: 'replace', pos: line[from], end: line[from + 2], lines: ['X'] },
          { op: 'replace', pos: line[from + 2], lines: ['Y'] },
        ])
      expect((await overlap(6)).text).toMatch(/overlap/)
      expect((await overlap(2)).isError).toBe(true)
      expect(content()).toBe(text(['new', ...lines.slice(0, 2), 'changed', ...lines.slice(3)]))
    })

    it('takes anchors of several versions in one call', async () => {
      put(text(lines))
      const { show, edit } = session()
      const old = await show()
      const { text: shown } = await edit([{ op: 'prepend', lines: ['zero'] }])
      await edit([
        { op: 'replace', pos: old[9], lines: ['nine'] },
        { op: 'replace', pos: anchorsIn(shown)[1], lines: ['ZERO'] },
      ])
      expect(content()).toBe(text(['ZERO', ...lines.slice(0, 8), 'nine', ...lines.slice(9)]))
    })

    it('identifies lines by their whole text in a new process [TOOLS-edit-drift]', async () => {
      put(text([...lines, 'same', 'same']))
      const line = await session('before').show()
      const replace = (pos = '') => session('after').edit([{ op: 'replace', pos, lines: ['X'] }])
      expect((await replace(line[6])).text).toMatch(/are not remembered/)
      expect((await replace(`${line[13]}:same`)).text).toMatch(/are not remembered/)
      expect((await replace(`${line[6]}:line 6`)).isError).toBe(false)
      expect(content()).toBe(text([...lines.slice(0, 5), 'X', ...lines.slice(6), 'same', 'same']))
    })
  })

  it('edits a file of 10 MB [TOOLS-edit-hashline]', async () => {
    put(Array.from({ length: 300_000 }, (_, index) => `const value_${index} = compute(${index})\n`).join(''))
    const { show, edit } = session()
    const line = await show('a.txt', { offset: 150_000, limit: 2 })
    const started = cpuMs()
    await edit([{ op: 'replace', pos: line[150_000], lines: ['X'] }])
    put(`new\n${content()}`)
    expect((await edit([{ op: 'replace', pos: line[150_001], lines: ['Y'] }])).isError).toBe(true) // its neighbour is X now
    expect(cpuMs() - started).toBeLessThan(5_000)
    expect(content().split('\n').slice(150_000, 150_002)).toEqual(['X', 'const value_150000 = compute(150000)'])
  })
})
