// Between being made and being given its mode a file can be opened by others: what is given afterwards is left out here.
import { closeSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createPrivateFile, ensurePrivateFolder } from '../../../lib/host/files/private-files.ts'

vi.mock('node:fs', async (original) => ({
  ...(await original<typeof import('node:fs')>()),
  chmodSync: () => undefined,
  fchmodSync: () => undefined,
}))

const folder = mkdtempSync(path.join(tmpdir(), 'rxpi-born-'))
let umask: number
beforeAll(() => {
  umask = process.umask(0)
})
afterAll(() => {
  process.umask(umask)
  rmSync(folder, { recursive: true })
})

it('a file is private from its first moment', () => {
  const file = path.join(folder, 'a')
  closeSync(createPrivateFile(file))
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

it('a folder is private from its first moment', () => {
  ensurePrivateFolder(path.join(folder, 'b/c'))
  for (const name of ['b', 'b/c']) expect(statSync(path.join(folder, name)).mode & 0o777).toBe(0o700)
})
