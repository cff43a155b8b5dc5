// Tests files and terminals that a client offers over its connection: which client is called, its end, the typed client.
// Over 250 lines: one mechanism, as the wire and as the typed client show it.
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Observable, filter, firstValueFrom, lastValueFrom, of } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { connect } from '../../../lib/server/client/client.ts'
import { linkedPair } from '../../../lib/server/protocol/linked-pair.ts'
import { builtInTools } from '../../../lib/tools/index.ts'
import { askingServer } from '../../support/asking-server.ts'
import type { AskingServer, AskingServerOptions } from '../../support/asking-server.ts'
import { lineClient } from '../../support/line-client.ts'
import { realTerminals } from '../../support/real-terminals.ts'
import type { LineClient } from '../../support/line-client.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-offered-files-')))
  writeFileSync(file(), 'saved\n')
})
afterEach(() => rmSync(folder, { recursive: true }))

const file = (): string => path.join(folder, 'a.txt')
const readCall = { toolCalls: [{ name: 'read', arguments: { path: 'a.txt' } }] }

function setup(script: AskingServerOptions['script'] = [readCall, 'done']): AskingServer {
  return askingServer({ script, tools: builtInTools(), cwd: folder })
}

async function member({ server, session }: AskingServer, environment: object | null = { files: 'read_write' }) {
  const client = lineClient(server)
  client.ask('n', { type: 'new_session', cwd: '/' })
  client.ask('a', { type: 'attach', session: session.id, ...(environment && { environment }) })
  await vi.waitFor(() => expect(client.answers('a')).toMatchObject([{ ok: true }]), { timeout: 10_000 })
  return client
}

const calls = ({ frames }: LineClient) => frames.filter(({ type }) => type === 'channel_call')
const callOf = (client: LineClient, index = 0) =>
  vi.waitFor(
    () => {
      const call = calls(client)[index]
      if (call === undefined) throw new Error('nothing was called')
      return call
    },
    { timeout: 10_000 },
  )
const statuses = ({ frames }: LineClient): unknown[] =>
  frames.flatMap((frame) => {
    const event = frame['event'] as { readonly type?: string; readonly code?: string } | undefined
    return event?.type === 'status' ? [event.code] : []
  })

async function prompt({ session }: AskingServer): Promise<void> {
  const settled = firstValueFrom(session.events$.pipe(filter(({ type }) => type === 'agent_settled')), { defaultValue: undefined }) // prettier-ignore
  session.send({ type: 'prompt', text: 'Hi' }).subscribe()
  await settled
}
const results = ({ session }: AskingServer): string[] =>
  [...session.state$.value.entries.values()].flatMap(
    ({ message }) =>
    message.role === 'toolResult' ? [message.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')] : [], // prettier-ignore
  )
const answer = (client: LineClient, call: Record<string, unknown>, more: object) =>
  client.ask(`r${String(call['callId'])}`, { type: 'channel_result', callId: call['callId'], ...more })
const text = (words: string) => ({ content: [{ type: 'text', text: words }] })

describe('files that a client offers', () => {
  it('are read by a call to that client alone [ATTACH-files]', async () => {
    const all = setup()
    const editor = await member(all)
    const other = await member(all, null)
    const over = prompt(all)
    const call = await callOf(editor)
    expect(call).toMatchObject({ name: 'client/read_file', session: all.session.id, args: { path: file() } })
    answer(editor, call, text('typed\n'))
    await over
    expect(results(all)).toEqual([expect.stringMatching(/^typed\n/)])
    expect(calls(other)).toEqual([])
  })

  it('are those of the client that attached last, and the other one is informed [ATTACH-files]', async () => {
    const all = setup([readCall, readCall, 'done'])
    const first = await member(all)
    const second = await member(all)
    expect(statuses(first)).toEqual(['files_replaced'])
    const over = prompt(all)
    answer(second, await callOf(second), text('second\n'))
    const again$ = all.session.events$.pipe(filter(({ type }) => type === 'tool_execution_end'))
    await firstValueFrom(again$, { defaultValue: undefined })
    await callOf(second, 1)
    second.close()
    await over
    expect(statuses(first)).toEqual(['files_replaced', 'files_used'])
    expect(results(all)).toEqual([expect.stringMatching(/^second/), expect.stringMatching(/^saved/)])
    expect(calls(first)).toEqual([])
  })

  it.each<[string, (client: LineClient, session: string) => void]>([
    ['connection ends', (client) => client.close()],
    ['attachment ends', (client, session) => client.ask('d', { type: 'detach', session })],
  ])('are read from the disk if the %s in the middle of a call [ATTACH-files]', async (_, leave) => {
    const all = setup()
    const editor = await member(all)
    const over = prompt(all)
    await callOf(editor)
    leave(editor, all.session.id)
    await over
    expect(results(all)).toEqual([expect.stringMatching(/^saved\n.*the client left the session/s)])
  })

  it('get channel_cancel when the run is aborted', async () => {
    const all = setup()
    const editor = await member(all)
    void prompt(all)
    const { callId } = await callOf(editor)
    await lastValueFrom(all.session.send({ type: 'abort' }), { defaultValue: undefined })
    const session = all.session.id
    expect(editor.frames).toContainEqual({ v: 1, type: 'channel_cancel', session, callId })
    answer(editor, { callId }, text('late'))
    await vi.waitFor(() => expect(editor.answers(`r${String(callId)}`)).toMatchObject([{ ok: false }]), {
      timeout: 10_000,
    })
  })

  it('are not used any more after an answer that does not come, until the client attaches again [ATTACH-files]', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const all = setup([readCall, readCall, 'done', readCall, 'done'])
    const editor = await member(all)
    const over = prompt(all)
    await callOf(editor)
    vi.advanceTimersByTime(10_000)
    await over
    expect(statuses(editor)).toEqual(['files_unanswered'])
    expect(results(all)).toEqual([expect.stringMatching(/^saved\n.*did not answer within 10 s/s), 'saved\n'])
    expect(calls(editor)).toHaveLength(1)
    const session = all.session.id
    editor.ask('b', { type: 'attach', session, environment: { files: 'read' } })
    await vi.waitFor(() => expect(editor.answers('b')).toMatchObject([{ ok: true }]), { timeout: 10_000 })
    const again = prompt(all)
    answer(editor, await callOf(editor, 1), text('typed\n'))
    await again
    expect(results(all).at(-1)).toMatch(/^typed\n/)
  })

  it('are refused in another form', async () => {
    const { server, session } = setup()
    const client = lineClient(server)
    client.ask('n', { type: 'new_session', cwd: '/' })
    client.ask('a', { type: 'attach', session: session.id, environment: { files: 'write' } })
    await vi.waitFor(() => expect(client.answers('a')).toMatchObject([{ error: { code: 'bad_request' } }]), {
      timeout: 10_000,
    })
  })
})

const bashCall = (command: string, more: object = {}) => ({
  toolCalls: [{ name: 'bash', arguments: { command, ...more } }],
})

describe('terminals that a client offers', () => {
  const ending = ({ session }: AskingServer): unknown =>
    [...session.state$.value.entries.values()].flatMap(({ message }) =>
      message.role === 'toolResult' ? [message.details] : [],
    )[0]

  it('run a command by calls to that client alone, and are released [ATTACH-terminals]', async () => {
    const all = setup([bashCall('echo hello'), 'done'])
    const editor = await member(all, { terminals: true })
    const other = await member(all, null)
    const over = prompt(all)
    const create = await callOf(editor)
    expect(create).toMatchObject({
      ...{ name: 'client/create_terminal', session: all.session.id, toolCallId: expect.any(String) as unknown },
      args: { args: ['-c', expect.stringMatching(/echo hello$/)], cwd: folder, outputBytes: 1_048_576 },
    })
    answer(editor, create, { content: [], details: { terminalId: 't1' } })
    answer(editor, await callOf(editor, 1), { content: [], details: { exitCode: 0 } })
    answer(editor, await callOf(editor, 2), text('hello\r\n'))
    answer(editor, await callOf(editor, 3), { content: [] })
    await over
    expect(results(all)).toEqual(['hello\n'])
    expect(calls(editor).map(({ name }) => name)).toEqual(
      ['create_terminal', 'terminal_exit', 'terminal_output', 'release_terminal'].map((name) => `client/${name}`),
    )
    expect(calls(other)).toEqual([])
  })

  it.each<[string, (client: LineClient, session: string) => void]>([
    ['connection ends', (client) => client.close()],
    ['attachment ends', (client, session) => client.ask('d', { type: 'detach', session })],
  ])('cost the call a coded error if the %s in the middle of it [ATTACH-terminals]', async (_, leave) => {
    const all = setup([bashCall('echo 1'), bashCall('echo 2'), 'done'])
    const editor = await member(all, { terminals: true })
    const over = prompt(all)
    answer(editor, await callOf(editor), { content: [], details: { terminalId: 't1' } })
    await callOf(editor, 1)
    leave(editor, all.session.id)
    await over
    expect(results(all)).toEqual([expect.stringMatching(/the client left the session.*may have taken effect/), '2\n'])
    expect(ending(all)).toEqual({ code: 'disconnected' })
  })

  it('get the end of the call when the run is aborted, though they answer nothing [ATTACH-terminals]', async () => {
    const all = setup([bashCall('sleep 60'), 'done'])
    const editor = await member(all, { terminals: true })
    const over = prompt(all)
    answer(editor, await callOf(editor), { content: [], details: { terminalId: 't1' } })
    const { callId } = await callOf(editor, 1)
    await lastValueFrom(all.session.send({ type: 'abort' }), { defaultValue: undefined })
    await over
    expect(editor.frames).toContainEqual({ v: 1, type: 'channel_cancel', session: all.session.id, callId })
    expect(await callOf(editor, 2)).toMatchObject({ name: 'client/kill_terminal', args: { terminalId: 't1' } })
    answer(editor, await callOf(editor, 2), { content: [] })
    expect(await callOf(editor, 3)).toMatchObject({ name: 'client/release_terminal', args: { terminalId: 't1' } })
    answer(editor, await callOf(editor, 3), { content: [] })
  })

  it('that open none in 30 s are not used until the client attaches again [ATTACH-terminals]', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const all = setup([bashCall('echo 1'), bashCall('echo 2'), 'done'])
    const editor = await member(all, { terminals: true })
    const over = prompt(all)
    await callOf(editor)
    vi.advanceTimersByTime(30_000)
    const flowing = setInterval(() => vi.advanceTimersByTime(100), 1)
    vi.useRealTimers()
    await over
    clearInterval(flowing)
    expect(statuses(editor)).toEqual(['terminals_unanswered'])
    expect(results(all)).toEqual([expect.stringMatching(/opened no terminal.*within 30 s/), '2\n'])
  })

  it('are those of the client that attached last [ATTACH-terminals]', async () => {
    const all = setup()
    const first = await member(all, { terminals: true })
    const second = await member(all, { terminals: true, files: 'read' })
    expect([statuses(first), statuses(second)]).toEqual([['terminals_replaced'], []])
    second.close()
    expect(statuses(first)).toEqual(['terminals_replaced', 'terminals_used'])
  })

  it('run real commands through the functions of the typed client [ATTACH-terminals]', async () => {
    const all = setup([bashCall('echo out; echo error >&2; exit 3'), bashCall('sleep 60', { timeout: 1 }), 'done'])
    const terminals = realTerminals({ PATH: process.env['PATH'] ?? '' })
    const [transport, end] = linkedPair()
    all.server.connect(end)
    const client = connect(transport)
    client.request({ type: 'new_session', cwd: '/' }).subscribe()
    const attached = client.events$(all.session.id, { terminals }).subscribe()
    await prompt(all)
    expect(results(all)).toEqual([
      expect.stringMatching(/^(?:out\nerror|error\nout)\n\[exit code 3\]$/),
      expect.stringMatching(/^\[Ended after 1 s, its time limit\./),
    ])
    await vi.waitFor(() => expect(terminals.open()).toEqual([]), { timeout: 10_000 })
    attached.unsubscribe()
    client.close()
    terminals.end()
  })
})

describe('the typed client', () => {
  const edit = { toolCalls: [{ name: 'edit', arguments: { path: 'a.txt', edits: [{ oldText: 'typed', newText: 'new' }] } }] } // prettier-ignore
  const connected = ({ server, session }: AskingServer) => {
    const [transport, end] = linkedPair()
    server.connect(end)
    const client = connect(transport)
    client.request({ type: 'new_session', cwd: '/' }).subscribe()
    return { client, session: session.id }
  }

  it('reads and writes through functions', async () => {
    const all = setup([readCall, edit, 'done'])
    const { client, session } = connected(all)
    const buffers = new Map([[file(), 'typed\n']])
    const files = {
      read: (name: string) => of(buffers.get(name)),
      write: (name: string, content: string) => {
        buffers.set(name, content)
        writeFileSync(name, content)
        return Promise.resolve()
      },
    }
    const attached = client.events$(session, { files }).subscribe()
    await prompt(all)
    expect(results(all)).toEqual([expect.stringMatching(/^typed/), expect.stringMatching(/^Made 1 edit/)])
    expect([buffers.get(file()), readFileSync(file(), 'utf8')]).toEqual(['new\n', 'new\n'])
    attached.unsubscribe()
    client.close()
  })

  it.each([
    ['has no such file', () => of(undefined), /^saved\n$/],
    ['returns a string', () => 'plain\n', /^plain\n/],
    ['fails', () => Promise.reject(new Error('no buffer')), /^saved\n.*no buffer/s],
    ['returns 20 MB', () => of('x'.repeat(20_000_000)), /^saved\n.*too long/s],
  ])('that %s', async (_, read, shown) => {
    const all = setup()
    const { client, session } = connected(all)
    const attached = client.events$(session, { files: { read } }).subscribe()
    await prompt(all)
    expect(results(all)).toEqual([expect.stringMatching(shown)])
    attached.unsubscribe()
    client.close()
  })

  it('cancels a call when the server does', async () => {
    const all = setup()
    const { client, session } = connected(all)
    let isOver = false
    let isCalled = false
    const read$ = () =>
      new Observable<string>(() => {
        isCalled = true
        return () => (isOver = true)
      })
    const attached = client.events$(session, { files: { read: read$ } }).subscribe()
    void prompt(all)
    await vi.waitFor(() => expect(isCalled).toBe(true), { timeout: 10_000 })
    await lastValueFrom(all.session.send({ type: 'abort' }), { defaultValue: undefined })
    expect(isOver).toBe(true)
    attached.unsubscribe()
    client.close()
  })
})
