// Tests the index file of a sessions folder.
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { sealLine } from '../../../lib/store/lines/line-checksum.ts'
import { readSessionIndex, writeSessionIndex } from '../../../lib/store/sessions/session-index.ts'
import { openBody } from '../../../lib/streams/log/line-event.ts'
import type { IndexedLog } from '../../../lib/streams/state/session-summary.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-index-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const { signal } = new AbortController()
const log: IndexedLog = {
  name: '1_abcdefghij23.jsonl',
  mtimeMs: 1.5,
  facts: { id: 'abcdefghij23', createdAt: 1, updatedAt: 2, size: 3 },
}
const file = () => path.join(folder, 'index.json')
const sealed = (value: object) => `${sealLine(openBody(value))}\n`

it('is read as it was written, by its user alone', async () => {
  await writeSessionIndex(folder, [log], signal)
  expect([...readSessionIndex(folder)]).toEqual([[log.name, log]])
  expect(lstatSync(file()).mode & 0o777).toBe(0o600)
})

it.each<[string, string]>([
  ['empty', ''],
  ['no JSON', 'index\n'],
  ['without its checksum', `${JSON.stringify({ type: 'sessions_index', v: 1, logs: [log] })}\n`],
  ['cut off', sealed({ type: 'sessions_index', v: 1, logs: [log] }).slice(0, -1)],
  ['of another version', sealed({ type: 'sessions_index', v: 2, logs: [log] })],
  ['of another shape', sealed({ type: 'sessions_index', v: 1, logs: [{ ...log, facts: { id: 7 } }] })],
  [
    'with a name that leads elsewhere',
    sealed({ type: 'sessions_index', v: 1, logs: [{ ...log, name: '../1_abcdefghij23.jsonl' }] }),
  ],
  [
    'with a session under the name of another',
    sealed({ type: 'sessions_index', v: 1, logs: [{ ...log, name: '1_bbbbbbbbbbbb.jsonl' }] }),
  ],
])('is ignored if it is %s', (_, text) => {
  writeFileSync(file(), text)
  expect([...readSessionIndex(folder)]).toEqual([])
})

it('is not read through a link, and a link is replaced, not its target', async () => {
  const target = path.join(folder, 'target')
  writeFileSync(target, sealed({ type: 'sessions_index', v: 1, logs: [log] }))
  const before = readFileSync(target, 'utf8')
  symlinkSync(target, file())
  expect([...readSessionIndex(folder)]).toEqual([])
  await writeSessionIndex(folder, [], signal)
  expect([readFileSync(target, 'utf8'), lstatSync(file()).isFile()]).toEqual([before, true])
})

it('reports that it cannot be written', async () => {
  mkdirSync(file())
  expect([...readSessionIndex(folder)]).toEqual([])
  await expect(writeSessionIndex(folder, [log], signal)).rejects.toMatchObject({ code: 'storage' })
})
