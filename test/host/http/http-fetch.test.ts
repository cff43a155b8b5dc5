// Tests the HTTP client against a real server on loopback.
// Over 250 lines: one server and one set of helpers for all cases.
import { execFile, spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { createServer as createPlainServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { promisify } from 'node:util'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { lastValueFrom, toArray } from 'rxjs'
import { describe, expect, it, vi } from 'vitest'
import { httpFetch, isTransportResponse, toFetch } from '../../../lib/host/http/http-fetch.ts'
import { nodeTransport } from '../../../lib/host/http/http-transport.ts'
import { plainBody } from '../../../lib/host/http/raw-body.ts'
import { rawSseServer } from '../../support/raw-sse-server.ts'
import { selfSigned } from '../../support/self-signed.ts'

const post = { method: 'POST', body: '{"a":"ü"}', headers: { 'x-own': '1' }, redirect: 'manual' } as const

const twice = `
  const { httpFetch } = await import(${JSON.stringify(new URL('../../../lib/host/http/http-fetch.ts', import.meta.url).href)})
  const ask = async () => (await httpFetch(process.env.TARGET_URL, { method: 'POST', body: 'x', redirect: 'manual' })).text()
  process.stdout.write(await ask() + ' ' + await ask())`

async function served(listener: RequestListener, tls?: { readonly key: Buffer; readonly cert: Buffer }) {
  const server = tls === undefined ? createServer(listener) : createSecureServer(tls, listener)
  let connections = 0
  server.on('connection', () => (connections += 1))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    connections: () => connections,
    url: `http${tls === undefined ? '' : 's'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Calls `connected` with each connection after its first data. */
async function listening(connected: (socket: Socket) => void) {
  const server: Server = createPlainServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => connected(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  }
}

async function direct(response: Response): Promise<string> {
  if (!isTransportResponse(response)) throw new Error('It is no response of a transport')
  return Buffer.concat(await lastValueFrom(response.bytes$.pipe(toArray()), { defaultValue: [] })).toString()
}

describe('httpFetch', () => {
  it('survives an abort after the last piece of a body, before its end is read', async () => {
    await using server = await served((_, response) => response.writeHead(200, { 'content-length': 2 }).end('{}'))
    const abort = new AbortController()
    const { body } = await httpFetch(server.url, { redirect: 'manual', signal: abort.signal })
    const reader = body?.getReader()
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('{}')
    const uncaught = vi.fn()
    process.once('uncaughtException', uncaught)
    abort.abort()
    await new Promise((resolve) => setTimeout(resolve, 20))
    process.off('uncaughtException', uncaught)
    expect(uncaught).not.toHaveBeenCalled()
    expect(await reader?.read()).toMatchObject({ done: true })
  })

  it('sends method, headers and body, and requests no compression', async () => {
    await using server = await rawSseServer({ body: ['data: x\n\n'] })
    const response = await httpFetch(`${server.url}/v1/x?q=1`, post)
    expect(await response.text()).toBe('data: x\n\n')
    const [request] = server.requests
    expect([request?.method, request?.path, request?.body]).toEqual(['POST', '/v1/x?q=1', post.body])
    expect(request?.headers).toMatchObject({ 'x-own': '1', 'content-length': '10', accept: '*/*' })
    expect(request?.headers).not.toHaveProperty('accept-encoding')
  })

  it('returns status and headers, and the body of an error', async () => {
    await using server = await rawSseServer({ status: 429, headers: { 'retry-after': '3' }, body: ['slow down'] })
    const response = await httpFetch(server.url, post)
    expect([response.ok, response.status, response.headers.get('retry-after')]).toEqual([false, 429, '3'])
    expect(await response.text()).toBe('slow down')
  })

  it('exposes the stream behind the body, and reuses the connection for the next request', async () => {
    await using server = await rawSseServer({ body: ['a', 'b'] })
    for (let round = 0; round < 5; round++) expect(await direct(await httpFetch(server.url, post))).toBe('ab')
    expect(server.sockets).toBe(1)
  })

  it('limits the life of an idle connection, and not of one in use', async () => {
    await using server = await served((_, response) => response.end('x'))
    for (let request = 0; request < 2; request++) {
      const sockets: Socket[] = []
      const transport = nodeTransport({
        readBody: (raw) => {
          sockets.push(raw.message.socket)
          return plainBody(raw)
        },
      })
      const response = await toFetch(transport)(server.url, post)
      expect(sockets[0]?.timeout).toBe(0)
      await response.text()
      await expect.poll(() => sockets[0]?.timeout, { timeout: 10_000 }).toBeGreaterThan(0)
    }
  })

  it('does not follow a redirect, and its body can be dropped', async () => {
    await using server = await rawSseServer({ status: 307, headers: { location: '/other' }, body: ['there'] })
    const response = await httpFetch(server.url, post)
    await response.body?.cancel()
    expect([response.status, response.headers.get('location'), server.requests.length]).toEqual([307, '/other', 1])
  })

  it.each([204, 304])('has no body for status %i', async (status) => {
    await using server = await rawSseServer({ status, headers: {} })
    expect((await httpFetch(server.url, post)).body).toBeNull()
  })

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)('reads a body with encoding %s', async (encoding, compress) => {
    await using server = await rawSseServer({
      headers: { 'content-encoding': encoding },
      body: [compress('plain text')],
    })
    expect(await direct(await httpFetch(server.url, post))).toBe('plain text')
    expect(await (await httpFetch(server.url, post)).text()).toBe('plain text')
  })

  it('uses a new connection if the server has closed the idle one', async () => {
    const bySocket = new Map<Socket, number>()
    await using server = await served((request, response) => {
      const count = (bySocket.get(request.socket) ?? 0) + 1
      bySocket.set(request.socket, count)
      if (count > 1) request.socket.destroy()
      else response.end('whole')
    })
    for (let round = 0; round < 3; round++) expect(await direct(await httpFetch(server.url, post))).toBe('whole')
    expect(bySocket.size).toBe(3)
  })

  it('does not repeat a request if a reused connection breaks after the response head', async () => {
    let requests = 0
    await using server = await served((request, response) => {
      requests += 1
      if (requests !== 2) {
        response.end('x')
        return
      }
      response.write('begun')
      setImmediate(() => request.socket.resetAndDestroy())
    })
    await (await httpFetch(server.url, post)).text()
    const response = await httpFetch(server.url, post)
    await expect(direct(response)).rejects.toMatchObject({ code: 'ECONNRESET' })
    await (await httpFetch(server.url, post)).text()
    expect(requests).toBe(3)
  })

  it.skipIf(spawnSync('openssl', ['version']).status !== 0)(
    'speaks TLS, reuses that connection too, and refuses an untrusted certificate',
    async () => {
      using certified = selfSigned()
      await using server = await served((_, response) => response.end('private'), certified)
      await expect(httpFetch(server.url, post)).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
      const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', twice], {
        env: { ...process.env, NODE_EXTRA_CA_CERTS: certified.file, TARGET_URL: server.url },
      })
      expect(stdout).toBe('private private')
      expect(server.connections()).toBe(2) // the refused connection, and one for both requests
    },
  )

  it('rejects with the system’s error if no server listens', async () => {
    const gone = await served(() => undefined)
    await gone[Symbol.asyncDispose]()
    await expect(httpFetch(gone.url, post)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('closes the connection of a response with an invalid status', async () => {
    const closed = Promise.withResolvers<true>()
    await using server = await listening((socket) => {
      socket.on('close', () => closed.resolve(true))
      socket.write('HTTP/1.1 999 Odd\r\ncontent-length: 5\r\n\r\nab')
    })
    await expect(httpFetch(`http://${server.address}`, post)).rejects.toThrow(RangeError)
    expect(await closed.promise).toBe(true)
  })

  it('limits the time of a TLS handshake', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const connected = Promise.withResolvers<Socket>()
      await using server = await listening((socket) => connected.resolve(socket))
      const refused = expect(httpFetch(`https://${server.address}`, post)).rejects.toMatchObject({ code: 'ETIMEDOUT' })
      const socket = await connected.promise
      vi.advanceTimersByTime(10_000)
      await refused
      socket.destroy()
    } finally {
      vi.useRealTimers()
    }
  })

  it('repeats a request to the same proxy if the proxy has closed an idle connection', async () => {
    const requestCounts = new Map<Socket, number>()
    await using server = await served((request, response) => {
      const count = (requestCounts.get(request.socket) ?? 0) + 1
      requestCounts.set(request.socket, count)
      if (count > 1) request.socket.destroy()
      else response.end(request.url)
    })
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', twice], {
      env: { NODE_USE_ENV_PROXY: '1', http_proxy: server.url, TARGET_URL: 'http://there.invalid/x' },
    })
    expect(stdout).toBe('http://there.invalid/x http://there.invalid/x')
    expect(requestCounts.size).toBe(2)
  })

  it('fails a body that ends early', async () => {
    await using server = await rawSseServer({ body: ['begun'], ending: 'cut' })
    await expect(direct(await httpFetch(server.url, post))).rejects.toMatchObject({ code: 'ECONNRESET' })
    await expect((await httpFetch(server.url, post)).text()).rejects.toThrow()
  })

  it.each(['silent', 'stall'] as const)('ends a request that is aborted while the server is %s', async (ending) => {
    await using server = await rawSseServer({ body: ['begun'], ending })
    const controller = new AbortController()
    const requestCounts = httpFetch(server.url, { ...post, signal: controller.signal }).then(direct)
    const request = await server.request(0)
    if (ending === 'stall') await request.written
    controller.abort()
    await expect(requestCounts).rejects.toThrow()
    await request.abandoned
  })

  it('leaves unsupported requests to the platform', async () => {
    await using server = await rawSseServer({ body: ['x'] })
    const response = await httpFetch(new Request(server.url, { method: 'POST', body: 'y' }))
    expect(await response.text()).toBe('x')
    expect(isTransportResponse(response)).toBe(false)
    await expect(httpFetch('http://user:secret@127.0.0.1:1/', post)).rejects.toThrow(TypeError)
  })
})
