// Tests that the shown beginning of a long line and the rest that `read` names are the whole line.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { read } from '../../../lib/tools/index.ts'
import { resultOf, testContext, textOf } from '../../contract/tool-contract.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'rxpi-read-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

it.each([
  ['latin1', Buffer.from(Array.from({ length: 12_000 }, (_, at) => `é${at};`).join(''), 'latin1')],
  ['UTF-8', Buffer.from(Array.from({ length: 12_000 }, (_, at) => `é${at};`).join(''))],
  ['a replacement character', Buffer.from(Array.from({ length: 12_000 }, (_, at) => `\u{FFFD}😀${at};`).join(''))],
  ['a byte order mark', Buffer.from(`\u{FEFF}${Array.from({ length: 12_000 }, (_, at) => `é${at};`).join('')}`)],
])('the shown beginning of a long line and the named rest are the whole line: %s', async (_, bytes) => {
  const file = path.join(folder, 'long.txt')
  writeFileSync(file, bytes)
  const text = textOf(await resultOf(read, { path: file }, testContext(folder)))
  const shown = text.slice(0, text.lastIndexOf('\n['))
  const next = Number(/tail -c \+(\d+)/.exec(text)?.[1])
  const rest = execFileSync('tail', ['-c', `+${next}`, file]).toString('utf8')
  expect(`${shown}${rest}`).toBe(bytes.toString('utf8').replace(/^\u{FEFF}/u, ''))
})
