// Tests the commands about MCP servers: list, show, add, remove, logs, restart, import.
// Over 250 lines: one scene of folders and settings for all commands.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { lastValueFrom, of } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createServerBackend } from '../../../lib/services/backend/create-server-backend.ts'
import { fileAccountStorage } from '../../../lib/store/config/file-account-storage.ts'
import type { Fields, ServerBackend } from '../../../lib/services/contract/server-backend.ts'
import { resultOf } from '../../support/result-of.ts'
import { fakeHub, status } from './fake-hub.ts'
import type { FakeHub } from './fake-hub.ts'

let top: string
let fake: FakeHub
let backend: ServerBackend
const at = (...names: readonly string[]): string => path.join(top, ...names)
const env = () => ({ RXPI_HOME: at('state'), XDG_CONFIG_HOME: at('config'), HOME: at('own') })
const where = () => ({ cwd: at('work'), env: env() })

beforeEach(() => {
  top = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-mcp-backend-')))
  for (const name of ['work', 'own', 'config/rxpi']) mkdirSync(at(name), { recursive: true })
  fake = fakeHub({ statuses: [status('files', { state: 'waiting', error: 'it ended', restarts: 2 }), status('files')] })
  backend = createServerBackend({ env: env(), version: '0.2.0', mcpHub$: of(fake.hub) })
})
afterEach(async () => {
  await lastValueFrom(backend.close(), { defaultValue: undefined })
  rmSync(top, { recursive: true })
})

const write = (file: string, value: unknown): void => {
  mkdirSync(path.dirname(at(file)), { recursive: true })
  writeFileSync(at(file), typeof value === 'string' ? value : JSON.stringify(value), { mode: 0o600 })
}
const settings = (mcpServers: unknown): void => {
  write('config/rxpi/settings.json', { mcpServers, own: 'key' })
}
const stored = (): unknown => JSON.parse(readFileSync(at('config/rxpi/settings.json'), 'utf8'))
const files = { command: 'npx', args: ['-y', 'server'], env: { KEY: 'hidden' } }

/** Loads the hub, as a session with servers does. */
const openOne = async (more: Partial<Fields<'new_session'>> = {}): Promise<void> => {
  const { session } = await resultOf(
    backend.sessions.create({ ...where(), model: 'demo/guide', store: false, ...more }),
  )
  await lastValueFrom(session.close(), { defaultValue: undefined })
}

describe('mcp_list and mcp_show', () => {
  it('list the servers of both files, secrets by name, and why one does not count [S2d]', async () => {
    settings({
      files,
      off: { command: 'x', disabled: true },
      lost: { url: 'https://x.example', headers: { A: '$NONE' } },
    })
    write('work/.mcp.json', { mcpServers: { files: { command: 'evil' }, theirs: { command: './run' } } })
    const listed = await resultOf(backend.mcp.list(where()))
    expect(listed.project).toBe(at('work/.mcp.json'))
    expect(listed.servers).toMatchObject([
      { name: 'files', origin: 'user', command: 'npx', env: ['KEY'] },
      { name: 'off', origin: 'user', disabled: true },
      { name: 'lost', origin: 'user', headers: ['A'], problem: expect.stringContaining('NONE') as string },
      { name: 'files', origin: 'project', problem: 'a server of your settings has the same name' },
      { name: 'theirs', origin: 'project', problem: expect.stringContaining('folder is not trusted') as string },
    ])
    expect(JSON.stringify(listed)).not.toContain('hidden')
    const trusted = await resultOf(backend.mcp.list({ ...where(), trust: true }))
    expect(trusted.servers.at(-1)).not.toHaveProperty('problem')
    write('work/.mcp.json', '{')
    expect((await resultOf(backend.mcp.list(where()))).problems).toHaveLength(1)
  })

  it('mark a server at whose address an account is stored, and name a store that cannot be read', async () => {
    settings({ notes: { url: 'https://n.example/mcp' }, others: { url: 'https://o.example/mcp' }, files })
    const marks = async () => (await resultOf(backend.mcp.list(where()))).servers.map(({ isSignedIn }) => isSignedIn)
    expect(await marks()).toEqual([undefined, undefined, undefined])
    const storage = fileAccountStorage({ home: at('state') })
    const account = { origin: 'https://n.example', tokens: { access: 'a' }, where: 'file' } as const
    await resultOf(storage.store({ ...account, provider: 'mcp:https://n.example/mcp' }))
    expect(await marks()).toEqual([true, undefined, undefined])
    write('state/accounts.json', '{')
    expect((await resultOf(backend.mcp.list(where()))).problems).toMatchObject([
      expect.stringContaining('accounts.json'),
    ])
  })

  it('show the state that needs a person most, once sessions use the server', async () => {
    settings({ files })
    const show = async () => (await resultOf(backend.mcp.show({ ...where(), server: 'files' }))).server
    expect(await show()).not.toHaveProperty('state')
    await openOne()
    expect(await show()).toMatchObject({ state: 'waiting', error: 'it ended', restarts: 2 })
    await expect(resultOf(backend.mcp.show({ ...where(), server: 'fils' }))).rejects.toThrow('Did you mean files?')
  })

  it('show the servers that clients pass with sessions of the folder, with their state and names of secrets', async () => {
    settings({ files })
    await openOne({ mcpServers: { files: { command: './own', args: ['-v'], env: { KEY: 'hidden' } } } })
    const listed = await resultOf(backend.mcp.list(where()))
    expect(listed.servers).toEqual([
      { name: 'files', origin: 'user', command: 'npx', args: ['-y', 'server'], env: ['KEY'] },
      { ...{ name: 'files', origin: 'client', command: './own', args: ['-v'], env: ['KEY'] }, state: 'waiting', error: 'it ended', restarts: 2, tools: 1 }, // prettier-ignore
    ])
    mkdirSync(at('other'))
    const elsewhere = await resultOf(backend.mcp.list({ ...where(), cwd: at('other') }))
    expect(elsewhere.servers).toHaveLength(1)
  })
})

describe('mcp_add and mcp_remove', () => {
  const add = (server: string, entry: Record<string, unknown>, replace?: boolean) =>
    resultOf(backend.mcp.add({ ...where(), server, entry, ...(replace === undefined ? {} : { replace }) }))

  it('change one entry of the settings; all others stay', async () => {
    settings({ files })
    const { server } = await add('more', { url: 'https://x.example/mcp', headers: { A: '$NONE' } })
    expect(server).toMatchObject({ name: 'more', problem: expect.stringContaining('NONE') as string })
    expect(stored()).toMatchObject({ own: 'key', mcpServers: { files, more: { url: 'https://x.example/mcp' } } })
    await expect(add('more', { command: 'x' })).rejects.toMatchObject({ code: 'bad_request' })
    await add('more', { command: 'x' }, true)
    expect(stored()).toMatchObject({ mcpServers: { more: { command: 'x' } } })
    await resultOf(backend.mcp.remove({ ...where(), server: 'more' }))
    expect(stored()).toEqual({ own: 'key', mcpServers: { files } })
    expect(statSync(at('config/rxpi/settings.json')).mode & 0o777).toBe(0o600)
    await expect(resultOf(backend.mcp.remove({ ...where(), server: 'more' }))).rejects.toMatchObject({ code: 'bad_request' }) // prettier-ignore
  })

  it.each([
    [{}, 'command or url'],
    [{ command: 'a', url: 'https://x.example' }, 'both'],
    [{ url: 'ftp://x' }, 'http'],
    [{ command: 1 }, 'command'],
    [{ command: 'a', comand: 'b' }, 'comand'],
  ])('refuse the entry %j, and write nothing', async (entry, words) => {
    await expect(add('x', entry)).rejects.toMatchObject({ code: 'bad_request', message: expect.stringContaining(words) as string }) // prettier-ignore
    expect(() => stored()).toThrow()
  })
})

it('mcp_logs and mcp_restart are about the servers of open sessions', async () => {
  settings({ files })
  expect(await resultOf(backend.mcp.logs({ server: 'files' }))).toEqual({ lines: [] })
  await expect(resultOf(backend.mcp.restart({ server: 'files' }))).rejects.toMatchObject({ code: 'bad_request' })
  await openOne()
  expect(await resultOf(backend.mcp.logs({ server: 'files' }))).toEqual({ lines: ['a line of files'] })
  await resultOf(backend.mcp.restart({ server: 'files' }))
  expect(fake.calls).toContain('restart files')
})

describe('mcp_import', () => {
  const take = (from: 'claude' | 'codex' | 'cursor' | 'vscode', add?: string[]) =>
    resultOf(backend.mcp.importServers({ ...where(), from, ...(add === undefined ? {} : { add }) }))

  it('shows those of Claude Code, with its project, and adds the named ones with their keys', async () => {
    settings({ files })
    const ofProject = { b: { type: 'http', url: 'https://b.example' } }
    write('own/.claude.json', {
      mcpServers: { files, a: { type: 'stdio', command: 'a', env: { T: 'hidden-key' } } },
      projects: { [at('work')]: { mcpServers: ofProject } },
    })
    const shown = await take('claude')
    expect(shown.servers).toMatchObject([{ name: 'files', present: true }, { name: 'a', env: ['T'] }, { name: 'b' }])
    expect(JSON.stringify(shown)).not.toContain('hidden-key')
    expect((await take('claude', ['a', 'b'])).servers.filter(({ added }) => added === true)).toHaveLength(2)
    expect(stored()).toMatchObject({
      mcpServers: { files, a: { command: 'a', env: { T: 'hidden-key' } }, ...ofProject },
    })
    for (const name of ['files', 'none'])
      await expect(take('claude', [name])).rejects.toMatchObject({ code: 'bad_request' })
  })

  it('reads the TOML of codex: variables by name, times, tools; no text has variables', async () => {
    write(
      'own/.codex/config.toml',
      `model = "x"
[mcp_servers.docs]
command = "docs"
args = ["--cost", "$5"]
env_vars = ["TOKEN"]
startup_timeout_sec = 2.5
enabled_tools = ["search"]
[mcp_servers.docs.env]
KEY = "a$b"
[mcp_servers.remote]
url = "https://r.example/mcp"
bearer_token_env_var = "R_TOKEN"
enabled = false
`,
    )
    await take('codex', ['docs', 'remote'])
    expect(stored()).toEqual({
      mcpServers: {
        docs: {
          command: 'docs',
          args: ['--cost', '$$5'],
          env: { TOKEN: '${TOKEN}', KEY: 'a$$b' },
          startTimeoutMs: 2500,
          tools: { include: ['search'] },
        },
        remote: { url: 'https://r.example/mcp', headers: { Authorization: 'Bearer ${R_TOKEN}' }, disabled: true },
      },
    })
  })

  it('reads VS Code and Cursor with comments; what asks a person there has no counterpart', async () => {
    write(
      'own/.config/Code/User/mcp.json',
      `{ // mine
  "servers": {
    "a b": { "type": "stdio", "command": "x", "env": { "K": "\${env:KEY}", "M": "$1" }, "gallery": true, },
    "ask": { "command": "y", "args": ["\${input:key}"] } /* later */
  }
}`,
    )
    expect((await take('vscode', ['a-b'])).servers).toMatchObject([
      { name: 'a-b', added: true },
      { name: 'ask', problem: expect.stringContaining('${input:key}') as string },
    ])
    expect(stored()).toMatchObject({ mcpServers: { 'a-b': { command: 'x', env: { K: '${KEY}', M: '$$1' } } } })
    await expect(take('vscode', ['ask'])).rejects.toMatchObject({ code: 'bad_request' })
    write('own/.cursor/mcp.json', { mcpServers: { c: { url: 'https://c.example/$x//y' } } })
    expect((await take('cursor')).servers).toMatchObject([{ name: 'c', url: 'https://c.example/$$x//y' }])
  })

  it('names the files that it looked for, and one that is broken', async () => {
    await expect(take('claude')).rejects.toThrow('Claude Code has no configuration here')
    write('own/.codex/config.toml', '[[')
    await expect(take('codex')).rejects.toThrow('is not valid TOML')
    write('own/.claude.json', '{')
    await expect(take('claude')).rejects.toThrow('is not valid JSON')
  })
})

describe('mcp_login and mcp_logout', () => {
  it('are refused for a program and for a server that is not there', async () => {
    settings({ files })
    const at = (server: string) => ({ ...where(), server })
    await expect(resultOf(backend.mcp.login(at('files')))).rejects.toThrow(
      'has no sign-in: it is a program of this machine',
    )
    await expect(resultOf(backend.mcp.logout(at('files')))).rejects.toThrow(
      'has no account: it is a program of this machine',
    )
    await expect(resultOf(backend.mcp.login(at('none')))).rejects.toMatchObject({ code: 'bad_request' })
  })

  it('begin a sign-in in the list of the server, and need an account to remove', async () => {
    settings({ notes: { url: 'http://127.0.0.1:9/mcp' } })
    const { login } = await resultOf(backend.mcp.login({ ...where(), server: 'notes' }))
    expect(login).toMatchObject({
      provider: 'mcp:notes',
      title: 'the MCP server notes (127.0.0.1:9)',
      method: 'browser',
    })
    const { login: ended } = await resultOf(backend.accounts.cancel({ loginId: login.loginId }))
    expect(['cancelled', 'failed']).toContain(ended.step)
    await expect(resultOf(backend.mcp.logout({ ...where(), server: 'notes' }))).rejects.toThrow(
      'No account of the MCP server notes',
    )
  })
})
