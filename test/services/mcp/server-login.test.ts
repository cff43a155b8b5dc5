// Tests the sign-in to MCP servers as clients see it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { mcpAccounts } from '../../../lib/mcp/oauth/mcp-accounts.ts'
import { processKeyMemory } from '../../../lib/providers/index.ts'
import { createAccountsBackend } from '../../../lib/services/accounts/accounts-backend.ts'
import { serverLogin, serverLogout } from '../../../lib/services/mcp/server-login.ts'
import { fileAccountStorage } from '../../../lib/store/config/file-account-storage.ts'
import type { LoginState } from '../../../lib/streams/commands/account-commands.ts'
import { mockAuthorization, remoteServer } from '../../mcp/oauth/mock-authorization.ts'
import { resultOf } from '../../support/result-of.ts'

function scene() {
  const home = mkdtempSync(path.join(tmpdir(), 'rxpi-mcp-login-'))
  const storage = fileAccountStorage({ home })
  const mock = mockAuthorization()
  const accounts = mcpAccounts({ accounts: storage, fetch: mock.fetch })
  const backend = createAccountsBackend({
    storage,
    surroundings: () => ({
      sources: { cwd: '/', env: {}, memory: processKeyMemory, models: { providers: {} } },
      where: 'file',
    }),
  })
  let changes = 0
  const options = { accounts, where: 'file', onChanged: () => (changes += 1) } as const
  onTestFinished(() => {
    backend.close()
    rmSync(home, { recursive: true })
  })
  const waitFor = async (first: LoginState, step: LoginState['step']): Promise<LoginState> => {
    let login = first
    while (login.step !== step) {
      if (['done', 'failed', 'cancelled'].includes(login.step)) throw new Error(JSON.stringify(login))
      login = (await resultOf(backend.wait({ loginId: login.loginId, revision: login.revision }))).login
    }
    return login
  }
  return { accounts, backend, changes: () => changes, mock, options, storage, waitFor }
}

describe('a sign-in to an MCP server', () => {
  it('is one of the list: a page, a pasted answer, an account', async () => {
    const { accounts, backend, changes, mock, options, waitFor } = scene()
    const first = (await resultOf(backend.begin(serverLogin(remoteServer(), options)))).login
    const opened = await waitFor(first, 'open_url')
    expect(opened).toMatchObject({
      provider: 'mcp:notes',
      title: 'the MCP server notes (mcp.example.com)',
      listens: true,
    })
    expect(opened).not.toHaveProperty('host')
    const again = (await resultOf(backend.begin(serverLogin(remoteServer(), options)))).login
    expect(again.loginId).toBe(opened.loginId)
    const answer = mock.approve(opened.url ?? '')
    await resultOf(backend.input({ loginId: opened.loginId, text: `http://127.0.0.1/?${answer.toString()}` }))
    const done = await waitFor(opened, 'done')
    expect(done.account).toMatchObject({ name: 'auth.example.com' })
    expect(JSON.stringify(done)).not.toMatch(/access-1|refresh-1/)
    expect([changes(), await accounts.authFor(remoteServer())?.token()]).toEqual([1, 'access-1'])
  })

  it('ends with the sign-out, which needs an account', async () => {
    const { accounts, changes, options, storage } = scene()
    await expect(resultOf(serverLogout(remoteServer(), options))).rejects.toThrow(
      'No account of the MCP server notes is stored.',
    )
    const grant = { tokens: { access: 'a' }, facts: {}, origin: 'https://mcp.example.com' }
    await resultOf(accounts.store(remoteServer(), grant, 'file'))
    expect(await resultOf(serverLogout(remoteServer(), options))).toEqual({ removed: 1 })
    expect([changes(), storage.list()]).toEqual([1, []])
  })

  it('is refused for a program', () => {
    const { options } = scene()
    const transport = { kind: 'stdio', command: 'x', args: [], env: {} } as const
    expect(() => serverLogin(remoteServer({ transport }), options)).toThrow(
      'has no sign-in: it is a program of this machine.',
    )
  })
})
