// Tests the hub: sharing, remembered tools, offers, states, logs, and that nothing is left.
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { EMPTY, filter, firstValueFrom, lastValueFrom, map, take, toArray } from 'rxjs'
import type { Observable } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { countLiveCalls, processesSettled } from '../../../lib/host/process/running-processes.ts'
import { createMcpHub } from '../../../lib/mcp/hub/create-hub.ts'
import { fileMemory } from '../../../lib/mcp/hub/file-memory.ts'
import type { McpHub, McpMemory, McpSession } from '../../../lib/mcp/contract/mcp-hub.ts'
import type { McpOffer } from '../../../lib/mcp/contract/mcp-offer.ts'
import type { McpClientPorts } from '../../../lib/mcp/contract/mcp-requests.ts'
import type { ToolContext, ToolResult } from '../../../lib/streams/ports/tool.ts'
import { plainServer } from '../connection/scene.ts'

let hub: McpHub
let folder: string
const memory = (): McpMemory => fileMemory({ folder })

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-mcp-hub-'))
  hub = createMcpHub({ memory: memory(), graceMs: 20 })
})
afterEach(async () => {
  hub.close()
  await firstValueFrom(processesSettled(), { defaultValue: undefined })
  expect(countLiveCalls()).toBe(0)
  rmSync(folder, { recursive: true })
})

function portsOf(sessionId: string, more: Partial<McpClientPorts> = {}): McpClientPorts & { notices: string[] } {
  const notices: string[] = []
  return {
    sessionId,
    notices,
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '' },
    roots: [folder],
    elicit: () => EMPTY,
    redact: (text) => text,
    onNotice: ({ server, message }) => notices.push(`${server}: ${message}`),
    ...more,
  }
}

const first = <Value>(value$: Observable<Value>): Promise<Value | undefined> =>
  firstValueFrom(value$, { defaultValue: undefined })

const ready = (session: McpSession): Promise<McpOffer | undefined> =>
  first(session.offer$.pipe(filter(({ statuses }) => statuses.every(({ state }) => state === 'ready'))))

/** The text of a call's result. */
async function call(offer: McpOffer | undefined, name: string, sessionId = 's1'): Promise<string> {
  const tool = offer?.tools.find((each) => each.mcp.tool === name)
  const context = { sessionId, toolCallId: 'c1', cwd: folder, env: {} } as ToolContext
  const result$ = tool?.execute({} as never, context) as Observable<ToolResult>
  const result = await lastValueFrom(result$, { defaultValue: undefined })
  return result?.content.map((part) => (part.type === 'text' ? part.text : '')).join('') ?? ''
}

describe('createMcpHub', () => {
  it('offers at once, then the tools of the server, and ends it with the last session [MCP-connect-gone]', async () => {
    const session = hub.open([plainServer()], portsOf('s1'))
    const begun = await first(session.offer$)
    expect(begun).toMatchObject({ tools: [], statuses: [{ server: 'plain', state: 'starting' }] })
    const offer = await ready(session)
    expect(offer?.tools.map(({ name }) => name)).toContain('mcp__plain__echo')
    expect(offer?.instructions).toEqual([{ server: 'plain', text: 'Use echo.' }])
    expect(await call(offer, 'pid')).toBe(String(offer?.statuses[0]?.pid))
    session.close()
    session.close()
    expect(await lastValueFrom(session.offer$, { defaultValue: undefined })).toEqual(offer)
    await first(processesSettled())
    expect([countLiveCalls(), hub.statuses()]).toEqual([0, []])
  })

  it('has the remembered tools in the first offer, and their calls wait for the server', async () => {
    const before = hub.open([plainServer()], portsOf('s1'))
    await ready(before)
    before.close()
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.json$/)])
    expect(statSync(path.join(folder, readdirSync(folder)[0] ?? '')).mode & 0o777).toBe(0o600)
    hub.close()
    hub = createMcpHub({ memory: memory(), graceMs: 20 })
    const session = hub.open([plainServer()], portsOf('s2'))
    const offer = await first(session.offer$)
    expect(offer?.statuses[0]?.state).toBe('starting')
    expect(offer?.tools).toHaveLength(7)
    expect(await call(offer, 'pid', 's2')).toMatch(/^\d+$/)
  })

  it('shares a process between sessions with the same folder and environment only [MCP-connect-shared]', async () => {
    const servers = [plainServer()]
    const sessions = [
      hub.open(servers, portsOf('s1')),
      hub.open(servers, portsOf('s2')),
      hub.open(servers, portsOf('s3', { env: { ...portsOf('s3').env, OTHER: '1' } })),
      hub.open([plainServer('plain', { perSession: true })], portsOf('s4')),
      hub.open([plainServer('plain', { perSession: true })], portsOf('s5')),
    ]
    const offers = await Promise.all(sessions.map(ready))
    const [one, two, three, four, five] = await Promise.all(offers.map((offer) => call(offer, 'pid')))
    expect(one).toBe(two)
    expect(new Set([one, three, four, five]).size).toBe(4)
    expect(hub.statuses()).toHaveLength(4)
    expect(hub.running()[0]).toMatchObject({
      server: { name: 'plain' },
      cwd: portsOf('s1').cwd,
      status: { server: 'plain' },
    })
    sessions[0]?.close()
    expect(await call(offers[1], 'pid', 's2')).toBe(two)
  })

  it('starts a server that dies in a call again; the call ends with an error result', async () => {
    const session = hub.open([plainServer()], portsOf('s1'))
    const states = firstValueFrom(
      session.status$.pipe(
        map(({ state, restarts, error }) => [state, restarts, ...(error === undefined ? [] : [error])].join(' ')),
        filter((_, index) => index > 0),
        take(4),
        toArray(),
      ),
      { defaultValue: [] },
    )
    const offer = await ready(session)
    expect(await call(offer, 'die')).toBe('The MCP server plain ended during the request: it ended with exit code 7')
    expect(await call(offer, 'pid')).toMatch(/^\d+$/)
    expect(await states).toEqual([
      'ready 0',
      'waiting 0 The MCP server plain ended: it ended with exit code 7; the last line of its log: Error: out of luck',
      'starting 1',
      'ready 1',
    ])
    expect(hub.logs('plain')).toContain('Error: out of luck')
  })

  it('shows a changed tool [MCP-tools-changed]', async () => {
    const ports = portsOf('s1')
    const session = hub.open([plainServer()], ports)
    const offer = await ready(session)
    const digest = (of: McpOffer | undefined) => of?.tools[0]?.mcp.digest
    const changed$ = session.offer$.pipe(filter((next) => digest(next) !== digest(offer)))
    const changed = first(changed$)
    await call(offer, 'change')
    expect((await changed)?.tools[0]?.description).toBe('echo 2')
    expect(ports.notices).toContain('plain: The tool "echo" has changed.')
  })

  it('gives up a program that is not there, and starts anew with the next session', async () => {
    const missing = plainServer('plain', { transport: { kind: 'stdio', command: 'no-such', args: [], env: {} } })
    const failed = { state: 'failed', error: 'The program no-such is not in a folder of PATH.' }
    const sessions = [hub.open([missing], portsOf('s1'))]
    await expect
      .poll(() => hub.statuses(), { interval: 5, timeout: 10_000 })
      .toMatchObject([{ ...failed, restarts: 0 }])
    sessions.push(hub.open([missing], portsOf('s2')))
    await expect
      .poll(() => hub.statuses(), { interval: 5, timeout: 10_000 })
      .toMatchObject([{ ...failed, restarts: 1 }])
    hub.restart('plain')
    await expect
      .poll(() => hub.statuses(), { interval: 5, timeout: 10_000 })
      .toMatchObject([{ ...failed, restarts: 2 }])
    sessions.forEach((session) => session.close())
  })

  it('leaves out tools whose names meet, and unknown servers fail', async () => {
    const ports = portsOf('s1')
    const session = hub.open([plainServer('twice')], ports)
    const offer = await ready(session)
    expect(offer?.tools.map(({ mcp }) => mcp.tool)).not.toContain('echo')
    expect(ports.notices.filter((notice) => notice.includes('mcp__plain__echo'))).not.toEqual([])
    await expect(first(session.getPrompt('none', 'p', {}))).rejects.toMatchObject({ code: 'bad_request' })
  })

  it('reports a test of a server, and of one that fails', async () => {
    const report = await first(hub.test(plainServer(), portsOf('s1')))
    expect(report).toMatchObject({ server: 'plain', state: 'ready', protocol: '2025-11-25', title: 'plain 1.0.0' })
    expect(report?.tools[0]).toEqual({ name: 'echo', description: 'echo 1' })
    const session = hub.open([plainServer()], portsOf('s1'))
    expect((await first(session.offer$))?.tools.map(({ mcp }) => mcp.tool)).toContain('echo') // remembered
    session.close()
    const crash = ['usage: server [--port N]', 'Error: cannot find module']
    expect(await first(hub.test(plainServer('crash'), portsOf('s1')))).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('it ended with exit code 1') as string,
      log: [...crash, expect.stringMatching(/^\[rxpi\] .* started again/), ...crash],
    })
    await first(processesSettled())
    expect(countLiveCalls()).toBe(0)
  })

  it('opens without servers, and ends open sessions when it is closed', async () => {
    expect(await first(hub.open([], portsOf('s1')).offer$)).toMatchObject({ tools: [], statuses: [] })
    const session = hub.open([plainServer()], portsOf('s2'))
    const offer = await ready(session)
    hub.close()
    expect(await call(offer, 'pid')).toContain('stopped')
    await first(processesSettled())
    expect(countLiveCalls()).toBe(0)
  })
})

describe('fileMemory', () => {
  const key = 'a'.repeat(64)
  const lists = { tools: [{ name: 'a', inputSchema: {} }], prompts: [], resources: [], instructions: 'x' }

  it('loads what it stored, and nothing from a file of another form', () => {
    memory().store(key, lists)
    expect(memory().load(key)).toEqual(lists)
    for (const content of ['', '{}', '{"v":1,"lists":{"tools":[{}],"prompts":[],"resources":[]}}', '{"v":2}']) {
      writeFileSync(path.join(folder, `${key}.json`), content)
      expect(memory().load(key)).toBeUndefined()
    }
    expect(memory().load('b'.repeat(64))).toBeUndefined()
  })

  it('removes the oldest files beyond 200', () => {
    for (let number = 0; number < 202; number += 1) memory().store(number.toString(16).padStart(64, '0'), lists)
    expect(readdirSync(folder)).toHaveLength(200)
  })

  it('reports a folder that cannot be written', () => {
    writeFileSync(path.join(folder, 'file'), '')
    const broken = fileMemory({ folder: path.join(folder, 'file') })
    expect([broken.store(key, lists)?.code, broken.load(key)]).toEqual(['storage', undefined])
    expect(memory().store(key, lists)).toBeUndefined()
  })

  it('that fails is reported to the sessions of the server, in its log and by a test', async () => {
    writeFileSync(path.join(folder, 'file'), '')
    const broken = createMcpHub({ memory: fileMemory({ folder: path.join(folder, 'file') }), graceMs: 0 })
    const ports = portsOf('s1')
    const session = broken.open([plainServer()], ports)
    await ready(session)
    const sentence = expect.stringContaining('could not be remembered for the next session') as string
    expect(ports.notices).toEqual([sentence])
    expect(broken.logs('plain').at(-1)).toEqual(sentence)
    const report = await firstValueFrom(broken.test(plainServer(), ports), { defaultValue: undefined })
    expect(report).toMatchObject({ state: 'ready', notices: [sentence] })
    broken.close()
  })
})
