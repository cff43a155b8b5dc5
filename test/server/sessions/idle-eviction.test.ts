// Tests that an unused session leaves memory after a delay, and is opened again unchanged.
import { Subject, of } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { createServer } from '../../../lib/server/create-server.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { fakeBackend } from '../../support/fake-backend.ts'
import type { FakeBackendOptions } from '../../support/fake-backend.ts'
import { fakeSession } from '../../support/fake-session.ts'
import type { FakeSession, FakeSessionOptions } from '../../support/fake-session.ts'
import { lineClient } from '../../support/line-client.ts'

const session = 'aaaaaaaaaaaa'
const minute = 60_000
const open = { type: 'open_session', session, cwd: '/here', env: { KEY: 'k' } }

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function setup(options: FakeSessionOptions = {}, hostOptions: FakeBackendOptions = {}, restAfterMs = minute) {
  const host = fakeBackend(hostOptions)
  const made = (): FakeSession => {
    const fresh = fakeSession({ id: session, cwd: '/here', ...options })
    host.sessionsById.set(session, fresh)
    return fresh
  }
  const first = made()
  const server = createServer({ host, version: '1', restAfterMs })
  return { host, server, first, made, client: lineClient(server) }
}

const begins: Record<string, AgentEvent> = {
  'a run': { type: 'agent_start', model: 'x/y', tools: [], thinkingLevel: 'off' },
  'a job': { type: 'job_start', jobId: 'abcdefg2', command: 'sleep 9', toolCallId: 'c' },
  'a question': {
    type: 'ui_request',
    requestId: 'a'.repeat(26),
    kind: 'confirm',
    source: 'host',
    text: 'Sure?',
  },
}
const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: 'unknown' } as const
const ends: Record<string, AgentEvent[]> = {
  'a run': [
    { type: 'agent_end', totalTurns: 0, usage, durationMs: 1, terminationReason: 'completed' },
    { type: 'agent_settled' },
  ],
  'a job': [{ type: 'job_end', jobId: 'abcdefg2', exitCode: 0, durationMs: 1 }],
  'a question': [{ type: 'ui_resolved', requestId: 'a'.repeat(26), outcome: false, by: 'timeout' }],
}

describe('an idle session', () => {
  it('is evicted when it has had no client for the configured time, and not before', () => {
    const { client, first } = setup()
    client.ask('1', open)
    vi.advanceTimersByTime(10 * minute)
    expect(first.isClosed).toBe(false)
    client.close()
    vi.advanceTimersByTime(minute - 1)
    expect(first.isClosed).toBe(false)
    vi.advanceTimersByTime(1)
    expect(first.isClosed).toBe(true)
  })

  it('is reopened as it was by the next command, with its environment', () => {
    const { server, client, made, host } = setup()
    client.ask('1', open)
    client.close()
    vi.advanceTimersByTime(minute)
    const again = made()
    const other = lineClient(server)
    other.ask('1', { type: 'prompt', session, text: 'Go on.' })
    expect(again.sent.map(({ command }) => command.type)).toEqual(['prompt'])
    other.ask('2', { type: 'attach', session })
    expect(other.answers('2')).toMatchObject([{ ok: true }])
    expect(host.requests.slice(1)).toEqual([{ open: { session, cwd: '/', env: open.env } }])
  })

  it('is reopened in its present mode of approval, which a log cannot loosen [S1b]', () => {
    const { server, client, first, made, host } = setup()
    client.ask('1', { ...open, approve: 'ask' })
    Object.defineProperty(first, 'approvalMode', { value: 'auto' })
    client.close()
    vi.advanceTimersByTime(minute)
    made()
    lineClient(server).ask('1', { type: 'attach', session })
    expect(host.requests.slice(1)).toEqual([{ open: { session, cwd: '/', env: open.env, approve: 'auto' } }])
  })

  it('is reopened with the model, level and tools that its log lacks, and with the log’s otherwise', () => {
    const { server, client, first, made, host } = setup()
    client.ask('1', { ...open, model: 'other/one', tools: ['read'] })
    const run = { runId: 'abcdefg3' }
    const { model, thinkingLevel, activeTools } = first
    const tools = activeTools.map(({ name }) => name)
    first.record({ type: 'agent_start', model: 'logged/before', tools, thinkingLevel }, run)
    for (const end of ends['a run'] ?? []) first.record(end, run)
    client.close()
    vi.advanceTimersByTime(minute)
    made()
    lineClient(server).ask('1', { type: 'attach', session })
    expect(host.requests.slice(1)).toEqual([
      { open: { session, cwd: '/', env: open.env, model: `${model.provider}/${model.id}` } },
    ])
  })

  it('is reopened from disk even if its log could not be written', () => {
    const { server, client, made, host } = setup({ closeFails: new Failure('storage', 'a sync failed') })
    client.ask('1', open)
    client.close()
    vi.advanceTimersByTime(minute)
    made()
    const other = lineClient(server)
    other.ask('1', { type: 'prompt', session, text: 'Go on.' })
    expect([other.answers('1'), host.requests.length]).toMatchObject([[{ ok: true }], 2])
  })

  it.each(['list_tools', 'find_files'])('is reopened by %s', (type) => {
    const found$ = of({ files: [], more: false, complete: true })
    const { server, client, made } = setup({}, { commands: { findFiles: () => found$ } })
    client.ask('1', open)
    client.close()
    vi.advanceTimersByTime(minute)
    made()
    const other = lineClient(server)
    other.ask('1', { type, session })
    expect(other.answers('1')).toMatchObject([{ ok: true }])
  })

  it.each(Object.keys(begins))('is not evicted during %s and for the configured time after it', (what) => {
    const { client, first } = setup()
    client.ask('1', open)
    const begin = begins[what]
    if (begin !== undefined) first.record(begin, { runId: 'abcdefg3' })
    client.close()
    vi.advanceTimersByTime(10 * minute)
    expect(first.isClosed).toBe(false)
    for (const end of ends[what] ?? []) first.record(end, { runId: 'abcdefg3' })
    vi.advanceTimersByTime(minute - 1)
    expect(first.isClosed).toBe(false)
    vi.advanceTimersByTime(1)
    expect(first.isClosed).toBe(true)
  })

  it('is not evicted while another client’s command is unanswered', () => {
    const answer$ = new Subject<object>()
    const { client, server, first } = setup({ answer: () => answer$ })
    client.ask('1', open)
    lineClient(server).ask('1', { type: 'abort', session })
    client.close()
    vi.advanceTimersByTime(5.5 * minute)
    expect(first.isClosed).toBe(false)
    answer$.next({})
    answer$.complete()
    vi.advanceTimersByTime(2 * minute)
    expect(first.isClosed).toBe(true)
  })

  it('is reopened for a client that attaches with tools during the eviction, without a lost event', async () => {
    const { client, server, first, made } = setup()
    client.ask('1', open)
    client.close()
    const other = lineClient(server)
    const tools = [{ name: 'look', description: 'Looks', parameters: { type: 'object' } }]
    vi.advanceTimersByTime(minute - 1)
    other.ask('1', { type: 'hello', client: 'ed' })
    other.ask('2', { type: 'attach', session, tools })
    const again = made()
    vi.advanceTimersByTime(1)
    expect(first.isClosed).toBe(true)
    await vi.waitFor(() => expect(other.answers('2')).toHaveLength(1), { timeout: 10_000 })
    expect([first.offered, again.offered.map(({ name }) => name)]).toEqual([[], ['channel_ed_look']])
    again.record({ type: 'session_info_change', to: { title: 'told' } })
    expect(JSON.stringify(other.frames.at(-1))).toContain('told')
  })

  it('is evicted with a run whose end its log cannot take [S24d]', () => {
    const readOnly = new Failure('storage', 'The log was removed')
    const { client, first } = setup({ readOnly })
    client.ask('1', open)
    expect(client.answers('1')).toMatchObject([
      { result: { readOnly: { code: 'storage', message: readOnly.message } } },
    ])
    for (const event of [begins['a run'] ?? []].flat()) first.record(event, { runId: 'abcdefg3' })
    client.close()
    vi.advanceTimersByTime(minute)
    expect(first.isClosed).toBe(true)
  })

  it('is not evicted without a log', () => {
    const { client, host } = setup()
    client.ask('1', { type: 'new_session', cwd: '/here', store: false })
    client.close()
    vi.advanceTimersByTime(10 * minute)
    expect([...host.sessionsById.values()].at(-1)?.isClosed).toBe(false)
  })

  it('is not evicted with restAfterMs 0', () => {
    const { client, first } = setup({}, {}, 0)
    client.ask('1', open)
    client.close()
    vi.advanceTimersByTime(10 * minute)
    expect(first.isClosed).toBe(false)
  })

  it('is not counted as open by server_status, and its state comes from its log', () => {
    const state$ = of({ open: false } as ResultOf<'get_state'>)
    const { client, server } = setup({}, { commands: { getState: () => state$ } })
    client.ask('1', open)
    client.close()
    vi.advanceTimersByTime(minute)
    const other = lineClient(server)
    other.ask('1', { type: 'server_status' })
    other.ask('2', { type: 'get_state', session })
    expect(other.answers('1')).toMatchObject([{ result: { sessions: { open: 0 } } }])
    expect(other.answers('2')).toMatchObject([{ result: { open: false } }])
  })

  it.each(Object.keys(begins))('does not let the server exit during %s [SOCKET-idle]', (what) => {
    const { client, server, first } = setup()
    client.ask('1', open)
    const begin = begins[what]
    if (begin !== undefined) first.record(begin, { runId: 'abcdefg3' })
    client.close()
    let isQuiet = false
    server.quiet(minute).subscribe(() => (isQuiet = true))
    vi.advanceTimersByTime(10 * minute)
    expect(isQuiet).toBe(false)
    for (const end of ends[what] ?? []) first.record(end, { runId: 'abcdefg3' })
    vi.advanceTimersByTime(minute)
    expect(isQuiet).toBe(true)
  })

  it('holds no timer when the server has closed', () => {
    const { client, server, first } = setup()
    client.ask('1', open)
    client.close()
    server.close().subscribe()
    expect(first.isClosed).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })
})
