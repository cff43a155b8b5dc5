// Tests that a file that cannot be made private is closed and removed.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { createPrivateFile } from '../../../lib/host/files/private-files.ts'

vi.mock('node:fs', async (original) => ({
  ...(await original<typeof import('node:fs')>()),
  fchmodSync: () => {
    throw Object.assign(new Error('EPERM: operation not permitted, fchmod'), { code: 'EPERM' })
  },
}))

const folder = mkdtempSync(path.join(tmpdir(), 'rxpi-undone-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('a file that cannot be made private is removed and closed', () => {
  const file = path.join(folder, 'a')
  const open = () => readdirSync('/proc/self/fd').length
  const before = process.platform === 'linux' ? open() : 0
  expect(() => createPrivateFile(file)).toThrow(`Could not create ${file}: the system does not permit it`)
  expect(existsSync(file)).toBe(false)
  if (process.platform === 'linux') expect(open()).toBe(before)
})
