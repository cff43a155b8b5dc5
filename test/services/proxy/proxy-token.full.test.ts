// Tests that an empty token file, left by a full disk, is not read as a token.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { proxyToken } from '../../../lib/services/proxy/proxy-token.ts'

vi.mock('node:fs', async (original) => {
  const full = (): never => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  }
  return { ...(await original<typeof import('node:fs')>()), writeFileSync: full, writeSync: full }
})

const home = mkdtempSync(join(tmpdir(), 'rxpi-token-'))
afterAll(() => rmSync(home, { recursive: true }))

it('leaves no incomplete token file if the disk is full, and says why', () => {
  expect(() => proxyToken({}, home)).toThrow(expect.objectContaining({ code: 'storage' }))
  expect(existsSync(join(home, 'proxy-token'))).toBe(false)
})
