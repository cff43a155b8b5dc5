// Tests that a file or folder has its private mode from its creation.
// Before a later chmod another user could open it; these tests disable that chmod.
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

it('a file is private from its creation', () => {
  const file = path.join(folder, 'a')
  closeSync(createPrivateFile(file))
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

it('a folder is private from its creation', () => {
  ensurePrivateFolder(path.join(folder, 'b/c'))
  for (const name of ['b', 'b/c']) expect(statSync(path.join(folder, name)).mode & 0o777).toBe(0o700)
})
