// Tests that two processes that need a token at once make one renewal.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { fileAccountStorage } from '../../../lib/store/config/file-account-storage.ts'
import { withCompileCache } from '../../support/compile-cache.ts'
import { resultOf } from '../../support/result-of.ts'
import { startVendorServer } from '../../support/vendor-server.ts'

const program = fileURLToPath(new URL('renewing-process.ts', import.meta.url))

function startProcess(home: string, port: string) {
  const child = spawn(process.execPath, [program, home, port], {
    env: withCompileCache(),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    line: async (): Promise<string> => String((await lines.next()).value),
    ask: () => child.stdin.write('xai\n'),
    end: () => new Promise((resolve) => child.once('close', resolve).stdin.end()),
  }
}

it('two processes with an expired token and a vendor that rotates make one renewal', async () => {
  const home = mkdtempSync(path.join(tmpdir(), 'rxpi-renewals-'))
  const known = new Set(['refresh-0'])
  await using server = await startVendorServer({
    'POST auth.x.ai/oauth2/token': ({ fields }) => {
      if (!known.delete(String(fields['refresh_token']))) return { status: 400, json: { error: 'invalid_grant' } }
      return { json: { access_token: 'access-1', refresh_token: 'refresh-1', expires_in: 3600, token_type: 'Bearer' } }
    },
  })
  const storage = fileAccountStorage({ home })
  const tokens = { access: 'access-0', refresh: 'refresh-0' }
  const facts = { provider: 'xai', origin: 'https://api.x.ai', where: 'file', expiresAt: Date.now() - 1 } as const
  const account = await resultOf(storage.store({ ...facts, tokens }))
  const processes = [startProcess(home, server.port), startProcess(home, server.port)]
  expect(await Promise.all(processes.map(({ line }) => line()))).toEqual(['ready', 'ready'])
  for (const { ask } of processes) ask()
  expect(await Promise.all(processes.map(({ line }) => line()))).toEqual(['access-1', 'access-1'])
  await Promise.all(processes.map(({ end }) => end()))
  expect(server.calls).toHaveLength(1)
  expect(await resultOf(storage.tokens(account))).toEqual({ access: 'access-1', refresh: 'refresh-1' })
  expect(storage.list('xai')[0]?.isSignedOut).toBeUndefined()
  rmSync(home, { recursive: true })
})
