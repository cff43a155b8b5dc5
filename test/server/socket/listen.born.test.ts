// Tests that a socket and its folder are private from creation, before `chmod` (stubbed here).
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { listen } from '../../../lib/server/socket/listen.ts'

vi.mock('node:fs', async (original) => ({
  ...(await original<typeof import('node:fs')>()),
  chmodSync: () => undefined,
}))

let folder: string
let umask: number
beforeEach(() => {
  umask = process.umask(0)
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-born-'))
})
afterEach(() => {
  process.umask(umask)
  rmSync(folder, { recursive: true })
})

it('a socket and its folder are private from their first moment', async () => {
  const socket = path.join(folder, 'own/rxpi.sock')
  const modes = await new Promise<number[]>((resolve, reject) => {
    const listening = listen({ path: socket }).subscribe({
      next: () => {
        resolve([path.dirname(socket), socket].map((each) => statSync(each).mode & 0o777))
        listening.unsubscribe()
      },
      error: reject,
    })
  })
  expect(modes).toEqual([0o700, 0o600])
})
