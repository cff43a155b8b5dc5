// Tests each rule of docs/design/security.md#S11 at the proxy, and what a response costs.
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { once } from 'node:events'
import { NEVER, concat, lastValueFrom, of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { longestBody } from '../../../lib/server/http/read-body.ts'
import { proxyEndpoint } from '../../../lib/server/proxy/proxy-endpoint.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import type { Provider, ProviderRequest } from '../../../lib/streams/ports/provider.ts'
import { requestBody, startProxy, token } from './start-proxy.ts'
import { helloProvider, none, bearer } from './proxy-scene.ts'

interface ErrorBody {
  readonly error: { readonly code: string; readonly message: string }
}

const errorOf = async (response: Response): Promise<ErrorBody['error']> => ((await response.json()) as ErrorBody).error

/** Uses `node:http`, because fetch would set its own `Host`. */
function statusWith(url: string, headers: Record<string, string>, method = 'POST'): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(`${url}/v1/stream`, { method, headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    outgoing.on('error', reject)
    outgoing.end(method === 'POST' ? JSON.stringify(requestBody()) : undefined)
  })
}

describe('a request names a model, and no address or key [S11a]', () => {
  it('finds the model by its name', async () => {
    const requests: ProviderRequest[] = []
    const provider: Provider = (request) => {
      requests.push(request)
      return helloProvider(request)
    }
    await using endpoint = await startProxy(provider)
    await (await endpoint.ask({ body: requestBody({ maxTokens: 7, toolChoice: { name: 'x' } }) })).text()
    expect(requests).toMatchObject([{ model: scriptedModel, maxTokens: 7, toolChoice: { name: 'x' } }])
  })

  it.each([
    { baseUrl: 'http://evil.invalid' },
    { headers: { 'x-api-key': 'k' } },
    { apiKey: 'k' },
    { model: { id: 'm', provider: 'p', baseUrl: 'http://evil.invalid' } },
    { model: '' },
    { messages: [{ role: 'toolResult', toolCallId: 'c', toolName: 't', timestamp: 0 }] },
    { messages: 'Hello' },
    { tools: [{ name: 't', description: '', parameters: { type: 'object' }, url: 'http://evil.invalid' }] },
  ])('refuses a body with %j, naming the field', async (more) => {
    await using endpoint = await startProxy(() => throwError(() => new Error('it was asked')))
    const response = await endpoint.ask({ body: requestBody(more) })
    const { code, message } = await errorOf(response)
    expect({ status: response.status, code }).toEqual({ status: 400, code: 'bad_request' })
    const [field = ''] = Object.keys(more)
    expect(message).toContain(field === 'baseUrl' || field === 'apiKey' ? `"${field}"` : field)
  })

  it('refuses an unknown model by name', async () => {
    await using endpoint = await startProxy(helloProvider)
    const response = await endpoint.ask({ body: requestBody({ model: 'replay//etc/passwd' }) })
    expect([response.status, await errorOf(response)]).toEqual([
      400,
      { code: 'bad_request', message: 'no replay//etc/passwd' },
    ])
  })

  it.each(['{', '', '[1]', 'null'])('refuses the body %j', async (body) => {
    await using endpoint = await startProxy(helloProvider)
    expect((await endpoint.ask({ body })).status).toBe(400)
  })
})

describe('it listens on loopback by default [S11b]', () => {
  it('listens on 127.0.0.1', async () => {
    await using endpoint = await startProxy(helloProvider)
    expect(new URL(endpoint.url).hostname).toBe('127.0.0.1')
  })

  it('listens on the configured host, and once at a port', async () => {
    await using endpoint = await startProxy(helloProvider, { host: '127.0.0.2' })
    expect(new URL(endpoint.url).hostname).toBe('127.0.0.2')
    const port = Number(new URL(endpoint.url).port)
    const second = lastValueFrom(proxyEndpoint({ host: '127.0.0.2', port, token, find: () => NEVER }), none)
    await expect(second).rejects.toMatchObject({ code: 'server_running' })
  })

  it('refuses an invalid address', async () => {
    const nowhere = lastValueFrom(proxyEndpoint({ host: '256.1.1.1', port: 1, token, find: () => NEVER }), none)
    await expect(nowhere).rejects.toMatchObject({ code: 'bad_request' })
  })
})

describe('the bearer token [S11c]', () => {
  it.each([
    ['none', {}],
    ['another', { authorization: 'Bearer another-token-here' }],
    ['a part of it', { authorization: `Bearer ${token.slice(0, -1)}` }],
    ['more than it', { authorization: `Bearer ${token}x` }],
    ['an empty one', { authorization: 'Bearer ' }],
    ['another scheme', { authorization: `Basic ${token}` }],
  ])('is required: a request with %s is refused', async (_, headers) => {
    await using endpoint = await startProxy(() => throwError(() => new Error('it was asked')))
    expect(await statusWith(endpoint.url, { 'content-type': 'application/json', ...headers })).toBe(401)
  })

  it('is in no response, and without it no response says which paths exist', async () => {
    await using endpoint = await startProxy(helloProvider)
    const response = await endpoint.ask({ path: '/other', headers: { authorization: 'Bearer wrong-wrong-wrong' } })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
    expect(JSON.stringify(await errorOf(response))).not.toContain(token)
  })
})

describe('Host is on an allow-list [S11d]', () => {
  it.each([
    ['127.0.0.1:PORT', 200],
    ['localhost:PORT', 200],
    ['LOCALHOST:PORT', 200],
    ['[::1]:PORT', 200],
    ['proxy.example', 200],
    ['proxy.example:8443', 200],
    ['other.example:8000', 200],
    ['other.example:8001', 403],
    ['localhost', 403],
    ['localhost:1', 403],
    ['evil.example:PORT', 403],
    ['127.0.0.1.evil.example:PORT', 403],
  ])('%s → %i', async (host, status) => {
    await using endpoint = await startProxy(helloProvider, { hosts: ['Proxy.example', 'other.example:8000'] })
    const named = host.replace('PORT', new URL(endpoint.url).port)
    expect(await statusWith(endpoint.url, { ...bearer, host: named })).toBe(status)
  })
})

describe('Origin is refused unless configured [S11e]', () => {
  const page = 'https://app.example'

  it.each(['https://evil.example', 'null', 'https://app.example:444', 'http://app.example', ''])(
    'refuses pages of %j',
    async (origin) => {
      await using endpoint = await startProxy(helloProvider, { origins: [page] })
      expect(await statusWith(endpoint.url, { ...bearer, origin })).toBe(403)
    },
  )

  it('refuses every page if no origin is configured, without CORS headers', async () => {
    await using endpoint = await startProxy(helloProvider)
    expect(await statusWith(endpoint.url, { origin: page }, 'OPTIONS')).toBe(403)
    const response = await endpoint.ask({ headers: { origin: page } })
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([403, null])
  })

  it('lets pages of a configured origin send requests and read responses, refusals too', async () => {
    await using endpoint = await startProxy(helloProvider, { origins: [page] })
    const preflight = await fetch(`${endpoint.url}/v1/stream`, {
      method: 'OPTIONS',
      headers: { origin: page, 'access-control-request-method': 'POST' },
    })
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, page])
    expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization, content-type')
    for (const headers of [{ origin: page }, { origin: page, authorization: 'Bearer x' }]) {
      const response = await endpoint.ask({ headers })
      await response.text()
      expect(response.headers.get('access-control-allow-origin')).toBe(page)
      expect(response.headers.get('vary')).toBe('Origin')
    }
  })
})

describe('bodies are bounded [S11f]', () => {
  it('refuses a body with too large a content-length before it is read', async () => {
    await using endpoint = await startProxy(helloProvider)
    const headers = { ...bearer, 'content-length': String(longestBody + 1) }
    const { port } = new URL(endpoint.url)
    const socket = connect(Number(port), '127.0.0.1')
    const head = Object.entries({ host: `localhost:${port}`, ...headers }).map(([name, value]) => `${name}: ${value}`)
    socket.write(`POST /v1/stream HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1.1 413 /)
    socket.destroy()
  })

  it('refuses a body that passes the limit while it is read', async () => {
    await using endpoint = await startProxy(helloProvider)
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
    const headers = { ...bearer, 'transfer-encoding': 'chunked' }
    const outgoing = httpRequest(`${endpoint.url}/v1/stream`, { method: 'POST', headers }, ({ statusCode }) => {
      resolve(statusCode)
    })
    outgoing.on('error', reject)
    const piece = 'x'.repeat(1024 * 1024)
    for (let sent = 0; sent <= longestBody; sent += piece.length) outgoing.write(piece)
    expect(await promise).toBe(413)
    outgoing.off('error', reject).on('error', () => undefined) // the server does not read the rest
    outgoing.destroy()
  })

  it.each([
    ['/v1/other', 'POST', 'application/json', 404],
    ['/v1/stream', 'GET', 'application/json', 405],
    ['/v1/stream', 'POST', 'text/plain', 415],
    ['/v1/stream?a=b', 'POST', 'application/json; charset=utf-8', 200],
  ])('%s by %s with %s → %i', async (path, method, type, status) => {
    await using endpoint = await startProxy(helloProvider)
    const response = await endpoint.ask({ path, method, headers: { 'content-type': type } })
    await response.text()
    expect(response.status).toBe(status)
  })

  it('refuses requests over its limit of concurrent responses', async () => {
    await using endpoint = await startProxy(() => concat(of<AssistantDelta>({ type: 'start' }), NEVER), {
      mostAnswers: 1,
    })
    const first = await endpoint.ask()
    const second = await endpoint.ask()
    expect([second.status, (await errorOf(second)).code]).toEqual([503, 'overloaded'])
    await first.body?.cancel()
  })
})
