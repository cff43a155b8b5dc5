// Tests what read shows of folders and notebooks.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { read } from '../../../lib/tools/index.ts'
import { resultOf, testContext, textOf } from '../../contract/tool-contract.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'rxpi-notebook-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

function put(name: string, content: string): void {
  writeFileSync(path.join(folder, name), content)
}

async function readText(args: { path: string; offset?: number; limit?: number }): Promise<string> {
  return textOf(await resultOf(read, args, testContext(folder)))
}

describe('read', () => {
  it('lists a folder, with its entries in pages [TOOLS-search-read]', async () => {
    mkdirSync(path.join(folder, 'some folder/sub'), { recursive: true })
    put('some folder/a.txt', '')
    expect(await readText({ path: 'some folder' })).toBe('a.txt\nsub/')
    expect(await readText({ path: 'some folder', limit: 1 })).toBe(
      'a.txt\n[Entries 1-1 of 2 are shown. Continue with read, offset=2.]',
    )
    expect(await readText({ path: 'some folder', offset: 2 })).toBe('sub/')
  })

  it('shows the cells of a notebook: source and text outputs, without images [TOOLS-search-read]', async () => {
    const output = { output_type: 'display_data', data: { 'image/png': 'AAAA', 'text/plain': ['<Figure>'] } }
    const error = { output_type: 'error', traceback: ['\u{1B}[31mKeyError\u{1B}[0m: 1'] }
    const code = { cell_type: 'code', source: ['a = 1\n', 'a'], outputs: [{ text: '1\n' }, output, error] }
    put('a.ipynb', JSON.stringify({ cells: [{ cell_type: 'markdown', source: '# Title' }, code], nbformat: 4 }))
    const lines = ['=== cell 1 (markdown)', '# Title', '', '=== cell 2 (code)', 'a = 1', 'a', '--- output', '1']
    lines.push('--- output', '<Figure>', '[image/png]', '--- output', 'KeyError: 1')
    expect(await readText({ path: 'a.ipynb' })).toBe(lines.join('\n'))
    expect(await readText({ path: 'a.ipynb', offset: 4, limit: 2 })).toBe(
      '=== cell 2 (code)\na = 1\n[Lines 4-5 are shown. Continue with offset=6]',
    )
    put('b.ipynb', 'no notebook\n')
    expect(await readText({ path: 'b.ipynb' })).toBe('no notebook\n')
  })

  it('names a line of a notebook that is too long to be shown whole [TOOLS-search-read]', async () => {
    put('long.ipynb', JSON.stringify({ cells: [{ cell_type: 'code', source: `${'x'.repeat(60_000)}\ny` }] }))
    expect(await readText({ path: 'long.ipynb', offset: 2 })).toMatch(
      /^x{51200}\n\[Line 2 is longer than 50 KB: only its beginning is shown\. For the next line use offset=3\]$/,
    )
  })
})
