// Tests the tokens of requests to MCP servers: use, renewal, sign-out, and rights that are missing.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { UnauthorizedError } from '@modelcontextprotocol/client'
import { firstValueFrom, lastValueFrom, switchMap, tap, throwError } from 'rxjs'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { McpServer } from '../../../lib/mcp/contract/mcp-server.ts'
import { mcpAccounts } from '../../../lib/mcp/oauth/mcp-accounts.ts'
import type { McpAccounts } from '../../../lib/mcp/oauth/mcp-accounts.ts'
import { fileAccountStorage } from '../../../lib/store/config/file-account-storage.ts'
import type { AccountStorage } from '../../../lib/streams/accounts/account-storage.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { mockAuthorization, remoteServer, serverUrl } from './mock-authorization.ts'
import type { Mock, MockOptions } from './mock-authorization.ts'

interface Scene {
  readonly mock: Mock
  readonly storage: AccountStorage
  readonly accounts: McpAccounts
  readonly file: string
  /** Other processes with the same files. */
  readonly other: () => McpAccounts
}

function scene(options: MockOptions = {}, change: (storage: AccountStorage) => AccountStorage = (same) => same): Scene {
  const home = mkdtempSync(path.join(tmpdir(), 'rxpi-mcp-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  const mock = mockAuthorization(options)
  const storage = change(fileAccountStorage({ home }))
  const create = (): McpAccounts => mcpAccounts({ accounts: storage, fetch: mock.fetch })
  return { mock, storage, accounts: create(), file: path.join(home, 'accounts.json'), other: create }
}

/** Signs in and stores the account; returns the page that was shown. */
async function signIn({ accounts, mock }: Pick<Scene, 'accounts' | 'mock'>): Promise<URL> {
  const server = remoteServer()
  let page = ''
  const played$ = accounts.signIn(server).pipe(
    switchMap(({ updates$, input }) =>
      updates$.pipe(
        tap((update) => {
          if (update.step !== 'open_url') return
          page = update.url
          queueMicrotask(() => input(`http://127.0.0.1/?${mock.approve(page).toString()}`))
        }),
      ),
    ),
  )
  const outcome = await lastValueFrom(played$, { defaultValue: undefined })
  if (outcome?.step !== 'granted') throw new Error('the sign-in ended without a grant')
  await firstValueFrom(accounts.store(server, outcome.grant, 'file'), { defaultValue: undefined })
  return new URL(page)
}

const token = async (accounts: McpAccounts, server: McpServer = remoteServer()): Promise<string | undefined> =>
  accounts.authFor(server)?.token()
const renewals = ({ bodies }: Mock) => bodies.filter((body) => body['grant_type'] === 'refresh_token')
const refuse = async (accounts: McpAccounts): Promise<string | undefined> => {
  const auth = accounts.authFor(remoteServer())
  await auth?.token()
  const response = new Response(null, { status: 401 })
  await auth?.onUnauthorized?.({ response, serverUrl: new URL(serverUrl), fetchFn: fetch })
  return auth?.token()
}

describe('a stored account', () => {
  it('gives the token to its address alone [MCP-login-bound]', async () => {
    const { mock, accounts, file } = scene()
    expect(await token(accounts)).toBeUndefined()
    await signIn({ mock, accounts })
    const at = (url: string): McpServer => remoteServer({ transport: { kind: 'http', url, headers: {} } })
    expect(await token(accounts)).toBe('access-1')
    expect(await token(accounts, remoteServer({ name: 'other' }))).toBe('access-1')
    expect(await token(accounts, at('https://evil.example.com/mcp'))).toBeUndefined()
    expect(await token(accounts, at('https://mcp.example.com:8443/mcp'))).toBeUndefined()
    expect(await token(accounts, at('http://mcp.example.com/mcp'))).toBeUndefined()
    expect(await token(accounts, at('https://mcp.example.com/other'))).toBeUndefined()
    const entry = JSON.parse(readFileSync(file, 'utf8')) as { readonly providers: Record<string, object> }
    expect(entry.providers[`mcp:${serverUrl}`]).toMatchObject({
      origin: 'https://mcp.example.com',
      name: 'auth.example.com',
    })
  })

  it('gives no token that was stored for another origin [MCP-login-bound]', async () => {
    const { mock, accounts } = scene({}, (storage) => ({
      ...storage,
      list: (name) => storage.list(name).map((account) => ({ ...account, origin: 'https://evil.example.com' })),
    }))
    await signIn({ mock, accounts })
    expect(await token(accounts)).toBeUndefined()
  })

  it('is none of a program, and of a server without sign-in', () => {
    const { accounts } = scene()
    expect(accounts.authFor(remoteServer({ oauth: false }))).toBeUndefined()
    const transport = { kind: 'stdio', command: 'x', args: [], env: {} } as const
    expect(accounts.authFor(remoteServer({ transport }))).toBeUndefined()
  })

  it('ends with the sign-out', async () => {
    const { mock, accounts } = scene()
    await signIn({ mock, accounts })
    expect(await firstValueFrom(accounts.signOut(remoteServer()), { defaultValue: 0 })).toBe(1)
    expect(await token(accounts)).toBeUndefined()
  })
})

describe('a token', () => {
  it('is renewed before it ends, once for two processes [MCP-login-renewed]', async () => {
    const { mock, accounts, other } = scene({ token: { expires_in: 30 } })
    await signIn({ mock, accounts })
    const tokens = await Promise.all([token(accounts), token(accounts), token(other()), token(other())])
    expect(new Set(tokens)).toEqual(new Set(['access-2']))
    expect(renewals(mock)).toEqual([
      expect.objectContaining({ refresh_token: 'refresh-1', client_id: 'client-1', resource: serverUrl }),
    ])
  })

  it('without an end is not renewed until the server refuses it', async () => {
    const { mock, accounts } = scene({ token: { expires_in: undefined } })
    await signIn({ mock, accounts })
    expect([await token(accounts), renewals(mock)]).toEqual(['access-1', []])
    expect(await refuse(accounts)).toBe('access-2')
  })

  it('is renewed if the server refuses it, unless another process was first', async () => {
    const { mock, accounts, other } = scene()
    await signIn({ mock, accounts })
    const late = other().authFor(remoteServer())
    expect(await late?.token()).toBe('access-1')
    expect(await refuse(accounts)).toBe('access-2')
    await late?.onUnauthorized?.({ response: new Response(null), serverUrl: new URL(serverUrl), fetchFn: fetch })
    expect([await late?.token(), renewals(mock).length]).toEqual(['access-2', 1])
  })

  it('is renewed each time that the server refuses it to a connection', async () => {
    const { mock, accounts } = scene()
    await signIn({ mock, accounts })
    const auth = accounts.authFor(remoteServer())
    const tokens = [await auth?.token()]
    for (let round = 0; round < 2; round += 1) {
      await auth?.onUnauthorized?.({ response: new Response(null), serverUrl: new URL(serverUrl), fetchFn: fetch })
      tokens.push(await auth?.token())
    }
    expect(tokens).toEqual(['access-1', 'access-2', 'access-3'])
  })

  it('of an account that was removed meanwhile wants a new sign-in', async () => {
    const removing = (storage: AccountStorage): AccountStorage => ({
      ...storage,
      locked: (account, work) => storage.remove(account.provider).pipe(switchMap(() => storage.locked(account, work))),
    })
    const { mock, accounts } = scene({ token: { expires_in: 0 } }, removing)
    await signIn({ mock, accounts })
    await expect(token(accounts)).rejects.toBeInstanceOf(UnauthorizedError)
    expect(renewals(mock)).toEqual([])
  })

  it('that cannot be renewed wants a new sign-in', async () => {
    const refused = scene({ tokenStatus: [200, 400] })
    await signIn(refused)
    await expect(refuse(refused.accounts)).rejects.toBeInstanceOf(UnauthorizedError)
    expect(await token(refused.accounts)).toBeUndefined()
    await expect(refuse(refused.accounts)).rejects.toBeInstanceOf(UnauthorizedError)
    expect(renewals(refused.mock)).toHaveLength(1)
    const none = scene({ token: { refresh_token: undefined } })
    await signIn(none)
    await expect(refuse(none.accounts)).rejects.toBeInstanceOf(UnauthorizedError)
    await expect(refuse(scene().accounts)).rejects.toBeInstanceOf(UnauthorizedError)
  })

  it('that still works is used while the server of tokens is down', async () => {
    const down = scene({ token: { expires_in: 30 }, tokenStatus: [200, 503] })
    await signIn(down)
    expect(await token(down.accounts)).toBe('access-1')
    const late = scene({ token: { expires_in: 0 }, tokenStatus: [200, 503] })
    await signIn(late)
    await expect(token(late.accounts)).rejects.toThrow('auth.example.com gave no token (invalid_grant')
  })

  it('is not lost if the disk refuses it', async () => {
    let isFull = true
    const full = new Failure('storage', 'the disk is full')
    const refusing = (storage: AccountStorage): AccountStorage => ({
      ...storage,
      change: (account, change) => (isFull ? throwError(() => full) : storage.change(account, change)),
    })
    const { mock, accounts, storage } = scene({}, refusing)
    await signIn({ mock, accounts })
    expect(await refuse(accounts)).toBe('access-2')
    expect(await token(accounts)).toBe('access-2')
    isFull = false
    expect(await refuse(accounts)).toBe('access-3')
    expect(renewals(mock).map((body) => body['refresh_token'])).toEqual(['refresh-1', 'refresh-2'])
    const [account] = storage.list(`mcp:${serverUrl}`)
    if (account === undefined) throw new Error('the account is gone')
    expect(await firstValueFrom(storage.tokens(account), { defaultValue: undefined })).toMatchObject({
      access: 'access-3',
      refresh: 'refresh-3',
    })
  })
})

it('notes rights that the server names as missing, up to 4,096 characters, until the next account is stored', async () => {
  const { mock, storage } = scene({ token: { scope: 'read' } })
  let refusal: Response | undefined
  const accounts = mcpAccounts({ accounts: storage, fetch: async (input, init) => refusal ?? mock.fetch(input, init) })
  const scopeAfter = async (status: number, scope: string, error = 'insufficient_scope'): Promise<string | null> => {
    const headers = { 'www-authenticate': `Bearer error="${error}", scope="${scope}"` }
    refusal = new Response(null, { status, headers })
    await accounts.fetch(serverUrl)
    refusal = undefined
    return (await signIn({ mock, accounts })).searchParams.get('scope')
  }
  expect(await scopeAfter(401, 'a')).toBe('read')
  expect(await scopeAfter(403, 'b', 'invalid_token')).toBe('read')
  expect(await scopeAfter(403, 'c'.repeat(4_097))).toBe('read')
  expect(await scopeAfter(403, 'd'.repeat(4_096))).toBe(`read ${'d'.repeat(4_096)}`)
  expect((await signIn({ mock, accounts })).searchParams.get('scope')).toBe('read')
})

it('begins a sign-in although the stored account cannot be read', async () => {
  const unreadable = (storage: AccountStorage): AccountStorage => ({
    ...storage,
    tokens: () => throwError(() => new Failure('storage', 'the file is damaged')),
  })
  const { mock, accounts } = scene({}, unreadable)
  await signIn({ mock, accounts })
  expect((await signIn({ mock, accounts })).searchParams.get('scope')).toBe('read')
})

it('asks for the rights that a server has missed, beside those of the account', async () => {
  const { mock, accounts } = scene({ token: { scope: 'read' }, missing: 'write' })
  expect((await signIn({ mock, accounts })).searchParams.get('scope')).toBe('read')
  const headers = { authorization: `Bearer ${await token(accounts)}` }
  expect((await accounts.fetch(serverUrl, { method: 'POST', headers })).status).toBe(403)
  expect((await signIn({ mock, accounts })).searchParams.get('scope')).toBe('read write')
})
