// Tests rxpi as an MCP server over HTTP: who is admitted, and a run in both revisions of the protocol.
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { firstValueFrom } from 'rxjs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createMcpServer } from '../../../app/mcp-serve/create-mcp-server.ts'
import { httpFace } from '../../../app/mcp-serve/http-face.ts'
import { mcpGate } from '../../../lib/server/proxy/mcp-gate.ts'
import { revisions, serveScene, textOf } from './serve-scene.ts'

const token = 'a-token-of-sixteen-or-more'

interface Listening {
  readonly url: string
  readonly requests: Request[]
}

async function listening(
  fetch: (request: Request) => Promise<Response> = () => Promise.resolve(new Response('ok')),
): Promise<Listening> {
  const requests: Request[] = []
  const gate = mcpGate({ RXPI_MCP_TOKEN: token })
  let stop: () => void = () => undefined
  const { url } = await new Promise<{ readonly url: string }>((resolve, reject) => {
    const face = httpFace({
      ...{ port: 0, host: '127.0.0.1', gate },
      fetch: (received) => {
        requests.push(received)
        return fetch(received)
      },
    }).subscribe({ next: resolve, error: reject })
    stop = () => face.unsubscribe()
  })
  onTestFinished(() => stop())
  return { url, requests }
}

/** Node's own client: fetch sets `Host` and `Origin` by itself. */
function send(
  url: string,
  {
    headers = {},
    path = '/mcp',
    method = 'POST',
  }: { headers?: Record<string, string>; path?: string; method?: string },
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      new URL(path, url),
      { method, headers: { authorization: `Bearer ${token}`, ...headers } },
      (response) => {
        let body = ''
        response.setEncoding('utf8')
        response.on('data', (piece: string) => (body += piece))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
      },
    )
    sent.on('error', reject)
    sent.end(method === 'GET' ? undefined : '{}')
  })
}

describe('the HTTP address', () => {
  it.each([
    ['another host', { headers: { host: 'evil.example' } }, 403, 'not_allowed'],
    ['a page', { headers: { origin: 'http://localhost:3000' } }, 403, 'not_allowed'],
    ['a sandboxed page', { headers: { origin: 'null' } }, 403, 'not_allowed'],
    ['no token', { headers: { authorization: '' } }, 401, 'not_allowed'],
    ['another token', { headers: { authorization: 'Bearer wrong' } }, 401, 'not_allowed'],
    ['the token in another scheme', { headers: { authorization: `Basic ${token}` } }, 401, 'not_allowed'],
    ['another path', { path: '/' }, 404, 'bad_request'],
  ] as const)('refuses %s before the handler has it [MCP-serve-http]', async (_, sent, status, code) => {
    const { url, requests } = await listening()
    const answer = await send(url, sent)
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([status, { error: { code } }])
    expect(requests).toEqual([])
  })

  it('passes requests on, reports a fault of the handler, and aborts what a client leaves', async () => {
    let aborted = false
    let leave: () => void = () => undefined
    const { url } = await listening(({ signal, headers }) => {
      if (headers.get('x-fault') !== null) return Promise.reject(new Error('broken'))
      if (headers.get('x-wait') === null) return Promise.resolve(new Response('fine', { status: 201 }))
      signal.addEventListener('abort', () => (aborted = true))
      leave()
      return new Promise(() => undefined)
    })
    expect(await send(url, {})).toEqual({ status: 201, body: 'fine' })
    expect(await send(url, { headers: { 'x-fault': '1' } })).toEqual({
      status: 500,
      body: '{"error":{"code":"internal","message":"broken"}}',
    })
    const waiting = request(url, { method: 'POST', headers: { authorization: `Bearer ${token}`, 'x-wait': '1' } })
    waiting.on('error', () => undefined)
    leave = () => waiting.destroy()
    waiting.end('{}')
    await expect.poll(() => aborted, { timeout: 10_000 }).toBe(true)
  })

  it('says that a port is taken', async () => {
    const { url } = await listening()
    const again$ = httpFace({ port: Number(new URL(url).port), host: '127.0.0.1', gate: mcpGate({ RXPI_MCP_TOKEN: token }), fetch: () => Promise.reject(new Error()) }) // prettier-ignore
    await expect(firstValueFrom(again$, { defaultValue: undefined })).rejects.toMatchObject({ code: 'server_running' })
  })

  it.each(revisions)('runs a prompt for a client of %s [MCP-serve-http]', async (revision) => {
    const { tools } = serveScene({ script: ['Hello.'] })
    const handler = createMcpHandler(() => createMcpServer(tools, '1'))
    const { url } = await listening((received) => handler.fetch(received))
    const client = new Client({ name: 'test', version: '0' }, { versionNegotiation: { mode: revision === '2025-11-25' ? 'legacy' : 'auto' } }) // prettier-ignore
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), {
        requestInit: { headers: { authorization: `Bearer ${token}` } },
      }),
    )
    const progress: string[] = []
    const onprogress = ({ message = '' }: { message?: string | undefined }): void => void progress.push(message)
    const result = await client.callTool({ name: 'run', arguments: { prompt: 'hi' } }, { onprogress })
    expect([textOf(result), progress.at(-1)]).toEqual(['Hello.', 'turn 1'])
    await client.close()
    await handler.close()
  })
})

it('makes the token once, in a private file of its own', () => {
  const home = mkdtempSync(join(tmpdir(), 'rxpi-mcp-token-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  const file = join(home, 'mcp-token')
  expect(mcpGate({ RXPI_HOME: home }).tokenFrom).toBe(file)
  expect([statSync(file).mode & 0o777, readFileSync(file, 'utf8').length]).toEqual([0o600, 44])
  expect(() => mcpGate({ RXPI_HOME: home, RXPI_MCP_TOKEN: 'short' })).toThrow('RXPI_MCP_TOKEN is too short')
})
