// Tests that the server passes each command to the backend complete and sends what it emits.
import { of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { FakeCommands } from '../../support/fake-backend.ts'
import { listTools } from '../../../lib/server/connection/session-lists.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { setupWithSession, session, setup } from './connection-scene.ts'

const own = { cwd: '/somewhere', env: { HOME: '/home/me' } }
const hash = 'a'.repeat(64)

const commands: readonly (readonly [string, keyof FakeCommands, object])[] = [
  ['get_diff', 'getDiff', { session }],
  ['switch_session', 'switchSession', { session }],
  ['delete_session', 'deleteSession', { session }],
  ['get_tree', 'getTree', { session }],
  ['get_entries', 'getEntries', { session, after: 1, limit: 2 }],
  ['get_context', 'getContext', { session, entryId: 'entryaaa' }],
  ['get_stats', 'getStats', { file: '/log.jsonl' }],
  ['get_blob', 'getBlob', { session, hash, offset: 1, limit: 2 }],
  ['import_session', 'importSession', { cwd: '/somewhere', file: '/log.jsonl' }],
  ['export_session', 'exportSession', { session, format: 'html', to: '/page.html' }],
  ['verify_session', 'verifySession', { file: '/log.jsonl' }],
  ['repair_session', 'repairSession', { session }],
  ['list_models', 'listModels', { ...own, search: 'large', usable: true }],
  ['update_models', 'updateModels', { ...own, check: true }],
  ['auth_set', 'authSet', { ...own, provider: 'openai', key: 'a key', add: true }],
  ['auth_list', 'authList', { ...own, provider: 'openai' }],
  ['auth_remove', 'authRemove', { ...own, provider: 'openai', keyId: 'abcdefg2' }],
  ['auth_verify', 'authVerify', { ...own, provider: 'openai' }],
  ['auth_login', 'login', { ...own, provider: 'xai', method: 'device' }],
  ['auth_login_wait', 'waitForLogin', { loginId: 'abcdefg2', revision: 1 }],
  ['auth_login_input', 'giveLoginInput', { loginId: 'abcdefg2', text: 'code' }],
  ['auth_login_cancel', 'cancelLogin', { loginId: 'abcdefg2' }],
  ['auth_logout', 'logout', { provider: 'xai' }],
  ['config_list', 'configList', { ...own }],
  ['config_get', 'configGet', { ...own, key: 'model' }],
  ['config_set', 'configSet', { ...own, key: 'model', value: null }],
  [
    'policy_explain',
    'explainPolicy',
    { ...own, tool: 'bash', args: { command: 'ls' }, approve: 'ask', sandboxed: true },
  ],
  ['policy_import', 'importRules', { ...own, file: '/home/ada/.claude/settings.json' }],
  ['policy_audit', 'auditPolicy', { session, limit: 5 }],
  ['extension_list', 'listExtensions', { ...own, trust: true, extensions: ['/x.ts'] }],
  ['extension_trust', 'trustExtension', { ...own, extension: 'x', answer: 'trust', digest: hash, dev: true }],
  ['extension_kill', 'killExtension', { ...own, extension: 'x', reason: 'too curious' }],
  ['mcp_list', 'listServers', { ...own, trust: true }],
  ['mcp_show', 'showServer', { ...own, server: 'files' }],
  ['mcp_add', 'addServer', { ...own, server: 'files', entry: { command: 'npx' }, replace: true }],
  ['mcp_remove', 'removeServer', { ...own, server: 'files' }],
  ['mcp_test', 'testServer', { ...own, server: 'files' }],
  ['mcp_login', 'loginServer', { ...own, server: 'notes' }],
  ['mcp_logout', 'logoutServer', { ...own, server: 'notes' }],
  ['mcp_logs', 'serverLogs', { server: 'files' }],
  ['mcp_restart', 'restartServer', { server: 'files' }],
  ['mcp_import', 'importServers', { ...own, from: 'claude', add: ['files'] }],
  ['package_install', 'installPackage', { ...own, source: 'npm:x' }],
  ['package_remove', 'removePackage', { package: 'x' }],
  ['package_update', 'updatePackages', { ...own, package: 'x' }],
  ['extension_audit', 'auditExtensions', { extension: 'x', limit: 5 }],
]

describe.each(commands)('%s', (type, method, fields) => {
  it('reaches the backend with all its fields, and answers with its result', () => {
    const commands: unknown[] = []
    const answered = { of: 'the host' }
    const host = { [method]: (command: unknown) => (commands.push(command), of(answered)) }
    const { client } = setup({ commands: host })
    client.ask('1', { type, ...fields })
    expect([commands, client.answers('1')]).toEqual([
      [fields],
      [expect.objectContaining({ ok: true, result: answered })],
    ])
  })

  it('fails with the backend’s failure', () => {
    const failing = { [method]: () => throwError(() => new Failure('storage', 'full')) }
    const { client } = setup({ commands: failing })
    client.ask('1', { type, ...fields })
    expect(client.answers('1')).toMatchObject([{ ok: false, error: { code: 'storage', message: 'full' } }])
  })
})

describe('list_sessions', () => {
  it('reports for open sessions whether they run', () => {
    const row = { id: session, title: 'a session' }
    const other = { id: 'ccccccccccca' }
    const listed = { sessions: [row, other], total: 2, more: false, problems: [] }
    const requests: unknown[] = []
    const host = { listSessions: (command: unknown) => (requests.push(command), of(listed)) }
    const { client } = setupWithSession({ commands: host as unknown as FakeCommands })
    client.ask('1', { type: 'list_sessions', cwd: '/somewhere', limit: 2 })
    expect(requests).toEqual([{ cwd: '/somewhere', limit: 2 }])
    const sessions = [{ ...row, live: { running: false, asking: 0 } }, other]
    expect(client.answers('1')).toMatchObject([{ result: { ...listed, sessions } }])
  })
})

describe('find_files', () => {
  it('searches the folder of the session', () => {
    const requests: unknown[] = []
    const found = { files: ['a.ts'], more: true, complete: true }
    const { client } = setupWithSession({ commands: { findFiles: (command) => (requests.push(command), of(found)) } })
    client.ask('1', { type: 'find_files', session, query: 'a', limit: 1 })
    expect([requests, client.answers('1')]).toEqual([
      [{ cwd: '/somewhere', query: 'a', limit: 1 }],
      [expect.objectContaining({ result: found })],
    ])
  })
})

describe('list_tools', () => {
  it('lists the tools of the session', () => {
    const { client, host } = setupWithSession()
    const made = host.sessionsById.get(session)
    const tools = [fakeTool('read', '', { capability: 'read' }), fakeTool('own', '')]
    Object.assign(made ?? {}, { registeredTools: tools, activeTools: tools.slice(1) })
    client.ask('1', { type: 'list_tools', session })
    const listed = listTools({ registeredTools: tools, activeTools: tools.slice(1) })
    expect(client.answers('1')).toMatchObject([{ result: { tools: listed } }])
  })
})

describe('jobs', () => {
  it('are listed and read from their session [COMMAND-list_jobs]', () => {
    const { client, host } = setupWithSession()
    const job = { jobId: 'aaaaaaaa', command: 'ls', pty: false, running: true, startedAt: 1 }
    const queries: unknown[] = []
    const output = (...query: unknown[]) => (queries.push(query), of({ job, content: 'x', offset: 3 }))
    Object.assign(host.sessionsById.get(session) ?? {}, { jobs: { list: () => [job], output } })
    client.ask('1', { type: 'list_jobs', session })
    client.ask('2', { type: 'job_output', session, jobId: 'aaaaaaaa', after: 3, waitMs: 5 })
    expect(client.answers('1')).toMatchObject([{ result: { jobs: [job] } }])
    expect(client.answers('2')).toMatchObject([{ result: { job, content: 'x', offset: 3 } }])
    expect(queries).toEqual([['aaaaaaaa', { after: 3, waitMs: 5 }]])
  })

  it('that are unknown are refused with those there are [COMMAND-list_jobs]', () => {
    const { client, host } = setupWithSession()
    const refused$ = throwError(() => new Failure('bad_request', 'There is no job aaaaaaaa'))
    Object.assign(host.sessionsById.get(session) ?? {}, { jobs: { list: () => [], output: () => refused$ } })
    client.ask('1', { type: 'job_output', session, jobId: 'aaaaaaaa' })
    expect(client.answers('1')).toMatchObject([{ ok: false, error: { code: 'bad_request' } }])
  })
})

describe('run_tool', () => {
  it.each([
    ['the details of a result', { details: { exitCode: 0 } }, { isError: false, details: { exitCode: 0 } }],
    ['no details if the result has none', {}, { isError: false }],
  ])('answers with %s', (_, more, notices) => {
    const { client } = setup({ runTool: () => of({ type: 'result', content: [], ...more } as const) })
    client.ask('1', { type: 'run_tool', cwd: '/', name: 'read', args: {} })
    expect(client.answers('1').map(({ result }) => result)).toEqual([{ content: [], ...notices }])
  })
})

describe('attach', () => {
  it('fails with the session’s failure, and adds a hint only for a missing key', () => {
    const full = new Failure('storage', 'The disk is full.')
    const { client } = setup({ commands: { openSession: () => throwError(() => full) } })
    client.ask('1', { type: 'attach', session })
    expect(client.answers('1')).toMatchObject([{ error: { code: 'storage', message: 'The disk is full.' } }])
  })
})
