// Tests sessions with a real MCP server process: approval, call, death in a call, restart, end, a killed server of rxpi.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { filter, firstValueFrom, lastValueFrom } from 'rxjs'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createServerBackend } from '../../../lib/services/backend/create-server-backend.ts'
import type { ServerBackend } from '../../../lib/services/contract/server-backend.ts'
import type { Session } from '../../../lib/session/contract/session.ts'
import type { AgentEvent, EventNamed } from '../../../lib/streams/events/event.ts'
import { withCompileCache } from '../../support/compile-cache.ts'
import { resultOf } from '../../support/result-of.ts'

let top: string
let backend: ServerBackend
const sessions: Session[] = []
const at = (...names: readonly string[]): string => path.join(top, ...names)
const env = () => ({
  RXPI_HOME: at('state'),
  XDG_CONFIG_HOME: at('config'),
  HOME: at('own'),
  PATH: process.env['PATH'] ?? '',
})
const program = path.resolve('test/mcp/fixtures/plain-server.ts')

beforeEach(() => {
  top = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-mcp-real-')))
  for (const name of ['work', 'own', 'config/rxpi']) mkdirSync(at(name), { recursive: true })
  const plain = { command: process.execPath, args: [program] }
  writeFileSync(at('config/rxpi/settings.json'), JSON.stringify({ mcpServers: { plain } }), { mode: 0o600 })
  backend = createServerBackend({ env: env(), version: '0.2.0' })
})
afterEach(async () => {
  for (const session of sessions.splice(0)) await lastValueFrom(session.close(), { defaultValue: undefined })
  await lastValueFrom(backend.close(), { defaultValue: undefined })
  rmSync(top, { recursive: true })
})

const call = (name: string, args: object = {}) => ({ toolCalls: [{ name: `mcp__plain__${name}`, arguments: args }] })

async function open(answers: readonly unknown[], approve: 'auto' | 'writes' = 'auto'): Promise<Session> {
  writeFileSync(at('script.json'), JSON.stringify(answers))
  const command = { cwd: at('work'), env: env(), model: `scripted/${at('script.json')}`, approve }
  const { session } = await resultOf(backend.sessions.create(command))
  sessions.push(session)
  return session
}

/** The results of the tool calls of a run. */
async function run(session: Session, text = 'Go.'): Promise<EventNamed<'tool_execution_end'>[]> {
  const ends: EventNamed<'tool_execution_end'>[] = []
  const settled = firstValueFrom(session.events$.pipe(filter(({ type }) => type === 'agent_settled')), {
    defaultValue: undefined,
  })
  const remove = session.listen((event: AgentEvent) => {
    if (event.type === 'tool_execution_end') ends.push(event)
  })
  await resultOf(session.send({ type: 'prompt', text }))
  await settled
  remove()
  return ends
}

const list = async () => (await resultOf(backend.mcp.list({ cwd: at('work'), env: env() }))).servers[0]
const untilReady = () => vi.waitFor(async () => expect((await list())?.state).toBe('ready'), { timeout: 10_000 })
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
const textOf = (end: EventNamed<'tool_execution_end'> | undefined): string => JSON.stringify(end?.content)

it('a call waits for the approval of a person, reaches the server, and its process ends with the session', async () => {
  const first = await open([])
  await untilReady()
  await lastValueFrom(first.close(), { defaultValue: undefined })
  const session = await open([call('echo', { text: 'hello' }), 'done'], 'writes') // the tools of the last time are known
  expect(session.activeTools.map(({ name }) => name)).toContain('mcp__plain__echo')
  const here = session.answeringQuestions$?.subscribe()
  const reasons: unknown[] = []
  session.listen((event) => {
    if (event.type !== 'question') return
    const { requestId, reason, pattern } = event
    reasons.push([reason, pattern])
    session
      .send({ type: 'ui_response', requestId, outcome: { choice: 'always', pattern: 'mcp__plain__echo' } })
      .subscribe()
  })
  const [end] = await run(session)
  expect(textOf(end)).toContain('hello')
  expect(reasons).toEqual([[expect.stringContaining('MCP server plain'), 'mcp__plain__echo']])
  const { pid = 0 } = (await list()) ?? {}
  expect(isAlive(pid)).toBe(true)
  here?.unsubscribe()
  const again = await open([call('echo'), 'done'], 'writes') // one process serves both, and the approval is remembered
  expect((await run(again))[0]?.isError).toBe(false)
  expect((await list())?.pid).toBe(pid)
  for (const each of sessions.splice(0)) await lastValueFrom(each.close(), { defaultValue: undefined })
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 10_000 })
}, 30_000)

it('a server that dies in a call is an error of this call, and is started again', async () => {
  const session = await open([call('die'), 'died', call('pid'), 'done'])
  const states: string[] = []
  session.listen((event) => {
    if (event.type === 'mcp_status') states.push(event.state)
  })
  await vi.waitFor(() => expect(states).toContain('ready'), { timeout: 10_000 })
  expect(session.activeTools.map(({ name }) => name)).toContain('mcp__plain__die')
  const [died] = await run(session)
  expect(died?.isError).toBe(true)
  await untilReady()
  const [end] = await run(session)
  expect(textOf(end)).toMatch(/\d+/)
  expect(states).toContain('waiting')
  expect((await list())?.restarts).toBe(1)
  expect((await resultOf(backend.mcp.logs({ server: 'plain' }))).lines.join('\n')).toContain('out of luck')
}, 30_000)

it('mcp_test starts a server for itself, and ends it', async () => {
  const command = { cwd: at('work'), env: env(), server: 'plain' }
  const report = await resultOf(backend.mcp.test(command))
  expect(report).toMatchObject({ state: 'ready', protocol: '2025-11-25' })
  expect(report.tools.map(({ name }) => name)).toContain('echo')
  expect(await list()).not.toHaveProperty('state')
}, 30_000)

it('after a kill of rxpi no server is left [MCP-connect-gone]', async () => {
  const script = `
    globalThis.RXPI_VERSION = '0' // a build sets it
    const { createServerBackend } = await import(${JSON.stringify(path.resolve('lib/services/backend/create-server-backend.ts'))})
    const env = ${JSON.stringify(env())}
    const backend = createServerBackend({ env, version: '0' })
    backend.sessions.create({ cwd: ${JSON.stringify(at('work'))}, env, model: 'demo/guide' }).subscribe()
    const show = () => backend.mcp.list({ cwd: ${JSON.stringify(at('work'))}, env }).subscribe(({ servers: [row] }) => {
      if (row?.state === 'ready') console.log(row.pid)
      else setTimeout(show, 20)
    })
    show()`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], { env: withCompileCache(), stdio: ['ignore', 'pipe', 'inherit'] }) // prettier-ignore
  const pid = await new Promise<number>((resolve) => child.stdout.once('data', (data: Buffer) => resolve(Number(data))))
  expect(isAlive(pid)).toBe(true)
  child.kill('SIGKILL')
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 10_000 }) // the end of its standard input
}, 30_000)
