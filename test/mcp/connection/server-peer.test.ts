// Tests requests to a server: results, progress, cancellation, silence, a server that dies or refuses.
import { firstValueFrom, lastValueFrom, map, NEVER, of, Subject, toArray } from 'rxjs'
import { afterEach, describe, expect, it } from 'vitest'
import { countLiveCalls, processesSettled } from '../../../lib/host/process/running-processes.ts'
import { openCalls } from '../../../lib/mcp/connection/open-calls.ts'
import { serverPeer } from '../../../lib/mcp/connection/server-peer.ts'
import type { ServerState } from '../../../lib/mcp/connection/supervise-server.ts'
import type { McpClientPorts } from '../../../lib/mcp/contract/mcp-requests.ts'
import { caller, connected, plainServer } from './scene.ts'

afterEach(async () => {
  await firstValueFrom(processesSettled(), { defaultValue: undefined })
  expect(countLiveCalls()).toBe(0)
})

const status = (state: ServerState['status']['state'], error?: string): ServerState => ({
  status: { server: 'plain', state, restarts: 0, ...(error === undefined ? {} : { error }) },
})

describe('serverPeer', () => {
  it('waits for the connection, and reports progress in order before the result', async () => {
    using scene = connected(plainServer())
    const { peer } = scene
    const events = await lastValueFrom(peer.callTool('progress', {}, caller).pipe(toArray()), { defaultValue: [] })
    expect(events).toEqual([
      ...[1, 2, 3].map((progress) => ({ type: 'progress', progress, total: 3, message: `step ${progress}` })),
      { type: 'result', result: { content: [{ type: 'text', text: 'done' }] } },
    ])
  })

  it('returns a result of 10 MiB whole', async () => {
    using scene = connected(plainServer())
    const { peer } = scene
    const event = await lastValueFrom(peer.callTool('large', {}, caller), { defaultValue: undefined })
    expect(event).toMatchObject({ type: 'result' })
    expect(JSON.stringify(event).length).toBeGreaterThan(10 * 2 ** 20)
  })

  it('tells the server that a call is cancelled when it is unsubscribed [MCP-tools-cancel]', async () => {
    using scene = connected(plainServer())
    const { peer, log } = scene
    await lastValueFrom(peer.callTool('echo', {}, caller), { defaultValue: undefined })
    const call = peer.callTool('sleep', {}, caller).subscribe()
    await lastValueFrom(peer.callTool('echo', {}, caller), { defaultValue: undefined })
    call.unsubscribe()
    await expect.poll(() => log.lines(), { interval: 5, timeout: 10_000 }).toEqual(['cancelled'])
  })

  it('ends the calls of a server that dies, with the way it ended', async () => {
    using scene = connected(plainServer())
    const { peer } = scene
    await expect(lastValueFrom(peer.callTool('die', {}, caller), { defaultValue: undefined })).rejects.toMatchObject({
      code: 'mcp_error',
      message: 'The MCP server plain ended during the request: it ended with exit code 7',
    })
  })

  it('ends a call after silence, but not while a person answers', async () => {
    using scene = connected(plainServer('plain', { callTimeoutMs: 60 }))
    const { peer, calls } = scene
    await lastValueFrom(peer.callTool('progress', {}, caller), { defaultValue: undefined })
    const silent = {
      code: 'timeout',
      message: 'The MCP server plain was silent for 0.06 s.',
    }
    await expect(lastValueFrom(peer.callTool('sleep', {}, caller), { defaultValue: undefined })).rejects.toMatchObject(
      silent,
    )
    const resume = calls.router.pause()
    let failure: unknown
    const call = peer.callTool('sleep', {}, caller).subscribe({ error: (error: unknown) => (failure = error) })
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(failure).toBeUndefined()
    resume()
    await expect.poll(() => failure, { interval: 5, timeout: 10_000 }).toMatchObject(silent)
    call.unsubscribe()
  })

  it('reports what the server refuses', async () => {
    using scene = connected(plainServer())
    const { peer } = scene
    await expect(lastValueFrom(peer.callTool('none', {}, caller), { defaultValue: undefined })).rejects.toMatchObject({
      code: 'mcp_error',
      message: expect.stringContaining('The MCP server plain refused: ') as string,
    })
    await expect(lastValueFrom(peer.getPrompt('none', {}), { defaultValue: undefined })).rejects.toMatchObject({
      code: 'mcp_error',
    })
  })

  it.each([
    [status('failed', 'it ended'), 'it ended'],
    [status('needs_login', 'it wants a sign-in'), 'it wants a sign-in'],
    [status('stopped'), 'The MCP server plain is stopped.'],
  ])('fails at once for a server that is not coming back: %s', async (state, message) => {
    const peer = serverPeer({ server: plainServer(), state$: of(state), calls: openCalls() })
    const call$ = peer.callTool('echo', {}, caller)
    await expect(lastValueFrom(call$, { defaultValue: undefined })).rejects.toMatchObject({
      code: 'mcp_error',
      message,
    })
  })

  it('waits for a server that starts no longer than its start may take', async () => {
    const state$ = NEVER.pipe(map(() => status('starting')))
    const peer = serverPeer({ server: plainServer('plain', { startTimeoutMs: 10 }), state$, calls: openCalls() })
    await expect(lastValueFrom(peer.callTool('echo', {}, caller), { defaultValue: undefined })).rejects.toMatchObject({
      message: 'The MCP server plain was not ready within 0.01 s.',
    })
  })
})

describe('openCalls', () => {
  const ports = (sessionId: string, roots: readonly string[]): McpClientPorts => ({
    sessionId,
    roots,
    cwd: '/',
    env: {},
    elicit: () => new Subject(),
    redact: (text) => text,
    onNotice: () => undefined,
  })

  it('finds the session of the last open call, and all roots', () => {
    const { router, join, begin } = openCalls()
    const [one, other] = [ports('s1', ['/a', '/b']), ports('s2', ['/b', '/c'])]
    const leave = join(one)
    join(other)
    expect(router.current()).toBeUndefined()
    const endFirst = begin({ sessionId: 's1', toolCallId: 'c1' })
    const endSecond = begin({ sessionId: 's2', toolCallId: 'c2' })
    const second = router.current()
    let isOver = false
    second?.ended$.subscribe(() => (isOver = true))
    expect([second, isOver]).toEqual([expect.objectContaining({ ports: other, toolCallId: 'c2' }), false])
    endSecond()
    expect(isOver).toBe(true)
    expect(router.current()).toMatchObject({ ports: one, toolCallId: 'c1' })
    expect(router.roots()).toEqual(['/a', '/b', '/c'])
    leave()
    expect([router.current(), router.roots()]).toEqual([undefined, ['/b', '/c']])
    endFirst()
  })
})
