// Tests connections to addresses: both transports, lost sessions, sign-ins, redirects, and secrets in errors.
import { filter, firstValueFrom, lastValueFrom, take, toArray } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { McpServer } from '../../../lib/mcp/contract/mcp-server.ts'
import {
  expiringServer,
  httpServer,
  redirectingServer,
  refusingServer,
  secretListsServer,
  sseServer,
} from './remote-servers.ts'
import { caller, connected, plainServer } from './scene.ts'

const token = 'Bearer abcdef-123456'

function remote(url: string, kind: 'http' | 'sse' = 'http'): McpServer {
  return plainServer('', { name: 'remote', transport: { kind, url, headers: { Authorization: token } } })
}

type Scene = ReturnType<typeof connected>

const stateAfter = async ({ state$ }: Scene, ...passed: readonly string[]) =>
  (
    await firstValueFrom(state$.pipe(filter(({ status }) => !passed.includes(status.state))), {
      defaultValue: undefined,
    })
  )?.status

const call = ({ peer }: Scene) => lastValueFrom(peer.callTool('echo', {}, caller), { defaultValue: undefined })

const called = { type: 'result', result: { content: [{ type: 'text', text: 'called echo' }] } }

describe('a remote server', () => {
  it('is connected over streamable HTTP, with its headers, and gets the end of the session [MCP-connect-http]', async () => {
    await using server = await httpServer()
    {
      using scene = connected(remote(server.url))
      expect(await stateAfter(scene, 'starting')).toMatchObject({ state: 'ready', protocol: '2025-11-25', tools: 1 })
      expect(await call(scene)).toEqual(called)
    }
    await expect.poll(() => server.requests.at(-1)?.line, { interval: 5, timeout: 10_000 }).toBe('DELETE /mcp')
    expect(new Set(server.requests.map(({ authorization }) => authorization))).toEqual(new Set([token]))
  })

  it('is connected again when it does not know the session any more', async () => {
    await using server = await httpServer()
    using scene = connected(remote(server.url))
    await call(scene)
    const states = firstValueFrom(scene.state$.pipe(take(3), toArray()), { defaultValue: [] })
    server.forget()
    await expect(call(scene)).rejects.toMatchObject({
      message: 'The MCP server remote ended during the request: it has ended the session',
    })
    expect((await states).map(({ status }) => status.state)).toEqual(['ready', 'waiting', 'starting'])
    expect(await call(scene)).toEqual(called)
  })

  it('is connected over SSE if it refuses streamable HTTP, and reports a stream that ends [MCP-connect-http]', async () => {
    const server = await sseServer()
    using scene = connected(remote(server.url))
    expect(await stateAfter(scene, 'starting')).toMatchObject({ state: 'ready', tools: 1 })
    expect(await call(scene)).toEqual(called)
    expect(server.requests.map(({ line }) => line).slice(0, 3)).toEqual(['POST /mcp', 'POST /mcp', 'GET /mcp'])
    await server[Symbol.asyncDispose]()
    expect(await stateAfter(scene, 'ready')).toMatchObject({ state: 'waiting' })
  })

  it('is connected over SSE alone if the configuration says so', async () => {
    await using server = await sseServer()
    using scene = connected(remote(server.url, 'sse'))
    expect(await call(scene)).toEqual(called)
    expect(server.requests[0]?.line).toBe('GET /mcp')
  })

  it('waits for a sign-in, and is not asked again', async () => {
    await using server = await refusingServer(401)
    using scene = connected(remote(server.url))
    const error = 'The MCP server remote wants a sign-in: rxpi mcp login remote'
    expect(await stateAfter(scene, 'starting')).toMatchObject({ state: 'needs_login', error })
    await expect(call(scene)).rejects.toMatchObject({ code: 'mcp_error', message: error })
  })

  it('waits for a sign-in if only its lists want one', async () => {
    await using server = await secretListsServer()
    using scene = connected(remote(server.url))
    const error = 'The MCP server remote wants a sign-in: rxpi mcp login remote'
    expect(await stateAfter(scene, 'starting')).toMatchObject({ state: 'needs_login', error })
  })

  it('waits for a sign-in when a call is refused with 401, and ends its other calls', async () => {
    await using server = await expiringServer()
    using scene = connected(remote(server.url))
    expect(await stateAfter(scene, 'starting')).toMatchObject({ state: 'ready' })
    const error = 'The MCP server remote wants a sign-in: rxpi mcp login remote'
    await expect(call(scene)).rejects.toMatchObject({ code: 'mcp_error', message: error })
    expect(await stateAfter(scene, 'ready')).toMatchObject({ state: 'needs_login', error })
    const before = server.requests.length
    await expect(call(scene)).rejects.toMatchObject({ message: error })
    expect(server.requests.slice(before).filter(({ line }) => line.startsWith('POST'))).toEqual([])
  })

  it.each([403, 500])('has no header in the error of an answer %s that quotes it', async (status) => {
    await using server = await refusingServer(status)
    using scene = connected(remote(server.url))
    const { error = '', state } = (await stateAfter(scene, 'starting')) ?? {}
    expect(state).toBe('waiting')
    expect(error).toContain('The MCP server remote could not be connected')
    expect(error).not.toContain('abcdef')
  })

  it('never sends its headers to another origin [MCP-connect-http]', async () => {
    await using other = await httpServer()
    await using server = await redirectingServer(other.url)
    using scene = connected(remote(server.url))
    const { error, state } = (await stateAfter(scene, 'starting')) ?? {}
    expect([state, error]).toEqual(['waiting', expect.stringContaining('not followed')])
    expect(other.requests).toEqual([])
  })

  it('reports an address that nobody listens at', async () => {
    const server = await httpServer()
    await server[Symbol.asyncDispose]()
    using scene = connected(remote(server.url))
    expect(await stateAfter(scene, 'starting')).toMatchObject({
      state: 'waiting',
      error: expect.stringContaining('could not be connected') as string,
    })
  })
})
