// Tests the formatting of sizes and the quoting of shell words.
import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { formatBytes } from '../../../lib/streams/values/format-bytes.ts'
import { shellQuote } from '../../../lib/host/process/shell-quote.ts'

describe('formatBytes', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [1023, '1023 bytes'],
    [1024, '1 KB'],
    [51_200, '50 KB'],
    [3_750_000, '3.6 MB'],
    [10 * 2 ** 30, '10 GB'],
    [5 * 2 ** 50, '5120 TB'],
  ])('of %d is %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text)
  })
})

describe('shellQuote', () => {
  it.each(['plain/path.txt', 'with space', "it's", '$(touch x)', '`x`', 'a\nb', '*', '', '-n', 'ö'])(
    'of %j is one word',
    (text) => {
      expect(execFileSync('/bin/sh', ['-c', `printf '<%s>' ${shellQuote(text)}`]).toString()).toBe(`<${text}>`)
    },
  )
})
