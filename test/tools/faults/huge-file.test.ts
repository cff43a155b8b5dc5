// Tests a file of 2 GB: `npm test` takes 300 MB.
import { appendFileSync, mkdtempSync, realpathSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { formatBytes } from '../../../lib/streams/values/format-bytes.ts'
import { sampleSize } from '../../support/sample-size.ts'
import { callTools } from './call-tools.ts'

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-faults-')))
const file = path.join(folder, 'huge.txt')
afterAll(() => rmSync(folder, { recursive: true }))

const edits = [{ oldText: 'a', newText: 'b' }]
const lineEdits = [{ op: 'append', lines: ['a'] }]

describe('a file of 2 GB [TOOLS-faults-files]', () => {
  const bytes = sampleSize(300 * 2 ** 20, 2 ** 31)
  const size = formatBytes(bytes)

  it('is read in parts, searched by name, replaced, and not edited, in bounded memory', async () => {
    writeFileSync(file, 'first\nsecond\n')
    truncateSync(file, bytes)
    appendFileSync(file, '\nlast\n')
    const outcomes = await callTools(folder, [
      ['read', { path: file, limit: 2 }],
      ['read', { path: file, offset: 4 }],
      ['read', { path: file, hashes: true }],
      ['edit', { path: file, edits }],
      ['hashline_edit', { path: file, edits: lineEdits }],
      ['grep', { pattern: 'last', path: file }],
      ['grep', { pattern: 'last', glob: 'huge.*' }],
      ['write', { path: file, content: 'small' }],
    ])
    const texts = outcomes.map(({ text }) => text)
    expect(texts[0]).toBe(`first\nsecond\n[Lines 1-2 are shown, ${size} follow. Continue with offset=3]`)
    expect(texts[1]).toBe('last\n')
    expect(texts[2]).toContain(`is too big for hashes (${size})`)
    expect(texts[3]).toBe(`${file} is too big to edit (${size}); use bash with sed or a script.`)
    expect(texts[4]).toBe(texts[3])
    expect(texts[5]).toMatch(/^No matches\./)
    expect(texts[6]).toMatch(/^No matches\./)
    expect(texts[7]).toMatch(/^Replaced .*\/huge\.txt \(5 bytes\)\.$/)
    expect(Math.max(...outcomes.map(({ peakMiB }) => peakMiB))).toBeLessThan(600)
  })
})
