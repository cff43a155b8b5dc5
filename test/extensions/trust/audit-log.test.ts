// Tests the audit of extensions: lines are only added, and the last ones are read from the end.
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { appendAudit, extensionAuditFile, readAudit } from '../../../lib/extensions/trust/audit-log.ts'

let home = ''
beforeEach(() => {
  home = path.join(mkdtempSync(path.join(tmpdir(), 'rxpi-audit-')), 'home')
})
afterEach(() => {
  rmSync(path.dirname(home), { recursive: true, force: true })
})

const use = (time: number, id = 'user:/x', detail = '') =>
  appendAudit(home, { time, id, name: id.slice(6), capability: 'exec', detail }, false)
const times = (query: Partial<Parameters<typeof readAudit>[1]> = {}) =>
  readAudit(home, { limit: 100, ...query }).entries.map(({ time }) => time)

it('is empty before the first line', () => {
  expect(readAudit(home, { limit: 10 })).toEqual({ entries: [], more: false })
})

it('adds lines and keeps the earlier bytes as they are', () => {
  use(1)
  const before = readFileSync(extensionAuditFile(home))
  use(2, 'user:/y', 'z'.repeat(2_000))
  const after = readFileSync(extensionAuditFile(home))
  expect(after.subarray(0, before.length)).toEqual(before)
  expect(after.length - before.length).toBeLessThan(700) // a long detail is cut
  expect(statSync(extensionAuditFile(home)).mode & 0o777).toBe(0o600)
})

it('reads the last entries, of all or of one extension by id or name, oldest first', () => {
  for (let time = 1; time <= 5; time++) use(time, time % 2 === 0 ? 'user:/even' : 'user:/odd')
  expect(times()).toEqual([1, 2, 3, 4, 5])
  expect(times({ limit: 2 })).toEqual([4, 5])
  expect(readAudit(home, { limit: 2 }).more).toBe(true)
  expect(readAudit(home, { limit: 5 }).more).toBe(false)
  expect(times({ extension: 'user:/even' })).toEqual([2, 4])
  expect(times({ extension: 'odd', limit: 2 })).toEqual([3, 5])
})

it('goes over lines that a crash cut off, and what follows them stays readable', () => {
  use(1)
  appendFileSync(extensionAuditFile(home), '{"time":2,"id":"user:/x","capab')
  use(3)
  appendFileSync(extensionAuditFile(home), 'no JSON\n[]\n{"time":"4"}\n')
  use(5)
  expect(times()).toEqual([1, 3, 5])
})

it('reads a file of several blocks from its end', () => {
  use(0)
  const line = (time: number) => `${JSON.stringify({ time, id: 'user:/x', detail: 'é'.repeat(200) })}\n`
  const count = 6_000
  writeFileSync(extensionAuditFile(home), Array.from({ length: count }, (_, index) => line(index)).join(''))
  expect(statSync(extensionAuditFile(home)).size).toBeGreaterThan(2_200_000)
  expect(times({ limit: count })).toEqual(Array.from({ length: count }, (_, index) => index))
})
