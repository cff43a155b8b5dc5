// SECURITY S11, sentence by sentence, and what an answer costs, ends and leaves behind.
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { once } from 'node:events'
import { NEVER, Observable, concat, from, lastValueFrom, of, throwError, toArray } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { openAiCompletions } from '../../../lib/providers/openai-completions.ts'
import { proxy } from '../../../lib/providers/proxy.ts'
import { scripted } from '../../../lib/providers/scripted.ts'
import { scriptedModel } from '../../../lib/providers/scripted-model.ts'
import { longestBody } from '../../../lib/server/proxy/read-proxy-request.ts'
import { proxyEndpoint } from '../../../lib/server/proxy/proxy-endpoint.ts'
import type { AssistantDelta } from '../../../lib/streams/delta.ts'
import { Failure } from '../../../lib/streams/failure.ts'
import { noUsage } from '../../../lib/streams/message.ts'
import type { Provider, ProviderRequest } from '../../../lib/streams/provider.ts'
import { aRequest } from '../../providers/a-request.ts'
import { foldDeltas } from '../../providers/fold-deltas.ts'
import { rawSseServer } from '../../support/raw-sse-server.ts'
import { aBody, proxied, token } from './proxied.ts'

function hello(request: ProviderRequest): Observable<AssistantDelta> {
  return scripted(['Hello'])(request)
}
const none = { defaultValue: [] }

interface ErrorBody {
  readonly error: { readonly code: string; readonly message: string }
}
const errorOf = async (response: Response): Promise<ErrorBody['error']> => ((await response.json()) as ErrorBody).error

/** As fetch would not send it: `Host` is what the test says. */
function statusWith(url: string, headers: Record<string, string>, method = 'POST'): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = httpRequest(`${url}/v1/stream`, { method, headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    asked.on('error', reject)
    asked.end(method === 'POST' ? JSON.stringify(aBody()) : undefined)
  })
}

const bearer = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }

describe('a model is named, and nothing else is [S11a]', () => {
  it('finds the model by its name', async () => {
    const asked: ProviderRequest[] = []
    const provider: Provider = (request) => {
      asked.push(request)
      return hello(request)
    }
    await using endpoint = await proxied(provider)
    await (await endpoint.ask({ body: aBody({ maxTokens: 7, toolChoice: { name: 'x' } }) })).text()
    expect(asked).toMatchObject([{ model: scriptedModel, maxTokens: 7, toolChoice: { name: 'x' } }])
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
    await using endpoint = await proxied(() => throwError(() => new Error('it was asked')))
    const response = await endpoint.ask({ body: aBody(more) })
    const { code, message } = await errorOf(response)
    expect({ status: response.status, code }).toEqual({ status: 400, code: 'bad_request' })
    const [field = ''] = Object.keys(more)
    expect(message).toContain(field === 'baseUrl' || field === 'apiKey' ? `"${field}"` : field)
  })

  it('says which names it does not know', async () => {
    await using endpoint = await proxied(hello)
    const response = await endpoint.ask({ body: aBody({ model: 'replay//etc/passwd' }) })
    expect([response.status, await errorOf(response)]).toEqual([
      400,
      { code: 'bad_request', message: 'no replay//etc/passwd' },
    ])
  })

  it.each(['{', '', '[1]', 'null'])('refuses the body %j', async (body) => {
    await using endpoint = await proxied(hello)
    expect((await endpoint.ask({ body })).status).toBe(400)
  })
})

describe('it listens on loopback unless told [S11b]', () => {
  it('does so', async () => {
    await using endpoint = await proxied(hello)
    expect(new URL(endpoint.url).hostname).toBe('127.0.0.1')
  })

  it('listens elsewhere where it is told, and at a port once', async () => {
    await using endpoint = await proxied(hello, { host: '127.0.0.2' })
    expect(new URL(endpoint.url).hostname).toBe('127.0.0.2')
    const port = Number(new URL(endpoint.url).port)
    const second = lastValueFrom(proxyEndpoint({ host: '127.0.0.2', port, token, find: () => NEVER }), none)
    await expect(second).rejects.toMatchObject({ code: 'server_running' })
  })

  it('says what is no address', async () => {
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
  ])('is refused where there is %s', async (_, headers) => {
    await using endpoint = await proxied(() => throwError(() => new Error('it was asked')))
    expect(await statusWith(endpoint.url, { 'content-type': 'application/json', ...headers })).toBe(401)
  })

  it('is not said in an answer, nor is whether a path is there without it', async () => {
    await using endpoint = await proxied(hello)
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
    await using endpoint = await proxied(hello, { hosts: ['Proxy.example', 'other.example:8000'] })
    const named = host.replace('PORT', new URL(endpoint.url).port)
    expect(await statusWith(endpoint.url, { ...bearer, host: named })).toBe(status)
  })
})

describe('Origin is refused unless configured [S11e]', () => {
  const page = 'https://app.example'

  it.each(['https://evil.example', 'null', 'https://app.example:444', 'http://app.example', ''])(
    'refuses pages of %j',
    async (origin) => {
      await using endpoint = await proxied(hello, { origins: [page] })
      expect(await statusWith(endpoint.url, { ...bearer, origin })).toBe(403)
    },
  )

  it('refuses every page where none is configured, and tells a browser nothing', async () => {
    await using endpoint = await proxied(hello)
    expect(await statusWith(endpoint.url, { origin: page }, 'OPTIONS')).toBe(403)
    const response = await endpoint.ask({ headers: { origin: page } })
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([403, null])
  })

  it('lets pages of a configured origin ask and read, also what was refused', async () => {
    await using endpoint = await proxied(hello, { origins: [page] })
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
  it('refuses what says that it is too large, before it is read', async () => {
    await using endpoint = await proxied(hello)
    const headers = { ...bearer, 'content-length': String(longestBody + 1) }
    const { port } = new URL(endpoint.url)
    const socket = connect(Number(port), '127.0.0.1')
    const head = Object.entries({ host: `localhost:${port}`, ...headers }).map(([name, value]) => `${name}: ${value}`)
    socket.write(`POST /v1/stream HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1.1 413 /)
    socket.destroy()
  })

  it('refuses what turns out to be too large', async () => {
    await using endpoint = await proxied(hello)
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
    const headers = { ...bearer, 'transfer-encoding': 'chunked' }
    const asked = httpRequest(`${endpoint.url}/v1/stream`, { method: 'POST', headers }, ({ statusCode }) => {
      resolve(statusCode)
    })
    asked.on('error', reject)
    const piece = 'x'.repeat(1024 * 1024)
    for (let sent = 0; sent <= longestBody; sent += piece.length) asked.write(piece)
    expect(await promise).toBe(413)
    asked.off('error', reject).on('error', () => undefined) // the rest is not taken
    asked.destroy()
  })

  it.each([
    ['/v1/other', 'POST', 'application/json', 404],
    ['/v1/stream', 'GET', 'application/json', 405],
    ['/v1/stream', 'POST', 'text/plain', 415],
    ['/v1/stream?a=b', 'POST', 'application/json; charset=utf-8', 200],
  ])('%s by %s with %s → %i', async (path, method, type, status) => {
    await using endpoint = await proxied(hello)
    const response = await endpoint.ask({ path, method, headers: { 'content-type': type } })
    await response.text()
    expect(response.status).toBe(status)
  })

  it('answers no more at a time than it may', async () => {
    await using endpoint = await proxied(() => concat(of<AssistantDelta>({ type: 'start' }), NEVER), { mostAnswers: 1 })
    const first = await endpoint.ask()
    const second = await endpoint.ask()
    expect([second.status, (await errorOf(second)).code]).toEqual([503, 'overloaded'])
    await first.body?.cancel()
  })
})

describe('an answer', () => {
  const said = 'Grüße 👋 '.repeat(200)

  it('is its deltas and nothing that was said before', async () => {
    const args = { path: 'x'.repeat(2_000) }
    const call = { name: 'read', arguments: args }
    const provider = scripted(() => ({ text: said, toolCalls: [call], pieceLength: 50 }))
    await using endpoint = await proxied(provider)
    const body = await (await endpoint.ask()).text()
    expect(body.length).toBeLessThan(2 * (said.length + 2_000) + 5_000) // once each, and the frames of 80 pieces
    expect(body.split('x'.repeat(50)).length - 1).toBeLessThanOrEqual(41) // the arguments are not repeated at their end
    const deltas = await lastValueFrom(proxy({ url: endpoint.url, token })(aRequest()).pipe(toArray()), none)
    expect(foldDeltas(deltas).content).toMatchObject([{ text: said }, call])
  })

  it.each([
    ['no JSON', { type: 'text_delta', contentIndex: 0, text: 1n }],
    ['no delta', { type: 'text_delta', contentIndex: 0 }],
  ])('ends with a failure where a provider of the user gives what is %s', async (_, wrong) => {
    await using endpoint = await proxied(() => of<AssistantDelta>(wrong as never))
    const lines = (await (await endpoint.ask()).text()).trim().split('\n')
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { type: 'failure', code: 'provider_error', data: { kind: 'network' } },
    ])
  })

  it('ends with the failure of the provider, whole', async () => {
    const failure = new Failure('provider_error', 'slow down', {
      data: { kind: 'rate_limit', status: 429, retryAfterMs: 3_000 },
    })
    await using endpoint = await proxied(() => throwError(() => failure))
    const answer = lastValueFrom(proxy({ url: endpoint.url, token })(aRequest()), none)
    await expect(answer).rejects.toMatchObject({ code: 'provider_error', message: 'slow down', data: failure.data })
  })

  it('and a model that cannot be had is a failure of its kind', async () => {
    const missing = new Failure('provider_error', 'set OPENAI_API_KEY', { data: { kind: 'auth' } })
    await using endpoint = await proxied(hello, { find: () => throwError(() => missing) })
    expect((await endpoint.ask()).status).toBe(502)
    const answer = lastValueFrom(proxy({ url: endpoint.url, token })(aRequest()), none)
    await expect(answer).rejects.toMatchObject({ message: 'set OPENAI_API_KEY', data: { kind: 'auth' } })
  })

  it('keeps a silent connection alive', async () => {
    await using endpoint = await proxied(() => NEVER, { keepAliveMs: 10 })
    const reader = (await endpoint.ask()).body?.getReader()
    const { value } = (await reader?.read()) ?? {}
    expect(Buffer.from(value ?? []).toString()).toMatch(/^\n+$/)
    await reader?.cancel()
  })

  it('gives up the request to the provider when its client leaves', async () => {
    await using upstream = await rawSseServer({
      body: ['data: {"choices":[{"delta":{"content":"a"}}]}\n\n'],
      ending: 'stall',
    })
    const provider = openAiCompletions({ provider: 'test', baseUrl: upstream.url })
    await using endpoint = await proxied(provider)
    const reader = (await endpoint.ask()).body?.getReader()
    await reader?.read()
    await reader?.cancel()
    const { abandoned } = await upstream.request(0)
    await abandoned
  })

  it('gives up every request when it ends', async () => {
    const gone = Promise.withResolvers<string>()
    const endpoint = await proxied(() => new Observable(() => () => gone.resolve('gone')))
    const response = await endpoint.ask()
    await endpoint[Symbol.asyncDispose]()
    expect(await gone.promise).toBe('gone')
    await expect(response.text()).rejects.toThrow()
  })
})

describe('a client that takes nothing [S11f]', () => {
  const piece: AssistantDelta = { type: 'text_delta', contentIndex: 0, text: 'x'.repeat(1_000) }
  const many = 20_000

  /** Far more than sockets hold, at once. */
  function flood(): Observable<AssistantDelta> {
    return from<AssistantDelta[]>([
      { type: 'text_start', contentIndex: 0 },
      ...Array<AssistantDelta>(many).fill({ type: 'text_delta', contentIndex: 0, text: 'x'.repeat(400) }),
      { type: 'text_end', contentIndex: 0 },
      { type: 'done', stopReason: 'stop', usage: noUsage },
    ])
  }

  it('gets pieces joined when it takes some again, and nothing is lost', async () => {
    await using endpoint = await proxied(flood)
    const body = await (await endpoint.ask()).text()
    const lines = body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as AssistantDelta)
    expect(lines.length).toBeLessThan(many / 2)
    expect(lines.reduce((sum, line) => sum + ('text' in line ? line.text.length : 0), 0)).toBe(many * 400)
  })

  it('is left after a time, and the provider with it', async () => {
    const gone = Promise.withResolvers<string>()
    const provider: Provider = () =>
      new Observable((subscriber) => {
        for (let sent = 0; sent < 12_000; sent++) subscriber.next(piece)
        return () => gone.resolve('gone')
      })
    await using endpoint = await proxied(provider, { takingMs: 50 })
    const { port } = new URL(endpoint.url)
    const socket = connect(Number(port), '127.0.0.1').pause()
    const body = JSON.stringify(aBody())
    const head = { host: `localhost:${port}`, ...bearer, 'content-length': String(body.length) }
    const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`)
    socket.write(`POST /v1/stream HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
    expect(await gone.promise).toBe('gone')
    socket.destroy()
  })

  it('is left where too much waits for it', async () => {
    const gone = Promise.withResolvers<string>()
    const text = 'x'.repeat(1024 * 1024)
    const endless$ = new Observable<AssistantDelta>((subscriber) => {
      subscriber.add(() => gone.resolve('gone'))
      while (!subscriber.closed) subscriber.next({ type: 'text_delta', contentIndex: 0, text })
    })
    await using endpoint = await proxied(() => endless$)
    const response = await endpoint.ask()
    expect(await gone.promise).toBe('gone')
    await expect(response.text()).rejects.toThrow()
  })
})
