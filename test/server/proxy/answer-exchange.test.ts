// Tests the responses of the proxy: deltas, failures, size and slow readers.
import { connect } from 'node:net'
import { NEVER, Observable, from, lastValueFrom, map, of, throwError, toArray } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { openAiCompletions } from '../../../lib/providers/endpoints/apis.ts'
import { proxy } from '../../../lib/providers/proxy/proxy.ts'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import type { Provider } from '../../../lib/streams/ports/provider.ts'
import { anAnswer } from '../../providers/adapter/messages.ts'
import { aRequest } from '../../providers/offline/a-request.ts'
import { foldDeltas } from '../../providers/offline/fold-deltas.ts'
import { rawSseServer } from '../../support/raw-sse-server.ts'
import { requestBody, startProxy, token } from './start-proxy.ts'
import { helloProvider, none, bearer } from './proxy-scene.ts'

describe('a response of the proxy', () => {
  const text = 'Grüße 👋 '.repeat(200)

  it('has the deltas of the answer, and nothing of the conversation', async () => {
    const args = { path: 'x'.repeat(2_000) }
    const call = { name: 'read', arguments: args }
    const provider = scripted(() => ({ text, toolCalls: [call], pieceLength: 50 }))
    await using endpoint = await startProxy(provider)
    const body = await (await endpoint.ask()).text()
    expect(body.length).toBeLessThan(2 * (text.length + 2_000) + 5_000) // once each, plus the frames of 80 deltas
    expect(body.split('x'.repeat(50)).length - 1).toBeLessThanOrEqual(41) // the end does not repeat the arguments
    const deltas = await lastValueFrom(proxy({ url: endpoint.url, token })(aRequest()).pipe(toArray()), none)
    expect(foldDeltas(deltas).content).toMatchObject([{ text }, call])
  })

  it('goes on with signatures that the model made through the proxy before', async () => {
    const provider = scripted(['Hello'])
    await using endpoint = await startProxy(provider)
    const { api, provider: maker, id } = scriptedModel
    const answers = [
      anAnswer('thinking', { api: 'proxy', provider: maker, model: id }),
      anAnswer('thinking', { api: 'proxy', provider: maker, model: 'another' }),
      anAnswer('thinking', { api: 'openai-responses', provider: maker, model: id }),
    ]
    const messages = [...answers, { role: 'user', content: 'Go on', timestamp: 0 }]
    await (await endpoint.ask({ body: requestBody({ messages }) })).text()
    const apis = provider.requests[0]?.messages.map((message) => (message.role === 'assistant' ? message.api : ''))
    expect(apis).toEqual([api, 'proxy', 'openai-responses', ''])
  })

  it.each([600, 0])(
    'has a call whose id has %i characters; the run refuses or numbers it [LOOP-8f]',
    async (length) => {
      const provider = scripted(() => ({ toolCalls: [{ name: 'read', arguments: {} }] }))
      await using endpoint = await startProxy((request) =>
        provider(request).pipe(
          map((delta) => (delta.type === 'toolcall_start' ? { ...delta, id: 'x'.repeat(length) } : delta)),
        ),
      )
      const deltas = await lastValueFrom(proxy({ url: endpoint.url, token })(aRequest()).pipe(toArray()), none)
      expect(deltas.find(({ type }) => type === 'toolcall_start')).toMatchObject({ id: 'x'.repeat(length) })
      expect(deltas.at(-1)).toMatchObject({ type: 'done', stopReason: 'toolUse' })
    },
  )

  it.each([
    ['no JSON', { type: 'text_delta', contentIndex: 0, text: 1n }],
    ['no delta', { type: 'text_delta', contentIndex: 0 }],
  ])('ends with a failure if a custom provider emits %s', async (_, wrong) => {
    await using endpoint = await startProxy(() => of<AssistantDelta>(wrong as never))
    const lines = (await (await endpoint.ask()).text()).trim().split('\n')
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { type: 'failure', code: 'provider_error', data: { kind: 'network' } },
    ])
  })

  it('ends with the provider’s failure and its data', async () => {
    const failure = new Failure('provider_error', 'slow down', {
      data: { kind: 'rate_limit', status: 429, retryAfterMs: 3_000 },
    })
    await using endpoint = await startProxy(() => throwError(() => failure))
    const answer = lastValueFrom(proxy({ url: endpoint.url, token })(aRequest()), none)
    await expect(answer).rejects.toMatchObject({ code: 'provider_error', message: 'slow down', data: failure.data })
  })

  it('has the model’s failure if the model is unavailable', async () => {
    const missing = new Failure('provider_error', 'set OPENAI_API_KEY', { data: { kind: 'auth' } })
    await using endpoint = await startProxy(helloProvider, { find: () => throwError(() => missing) })
    expect((await endpoint.ask()).status).toBe(502)
    const answer = lastValueFrom(proxy({ url: endpoint.url, token })(aRequest()), none)
    await expect(answer).rejects.toMatchObject({ message: 'set OPENAI_API_KEY', data: { kind: 'auth' } })
  })

  it('sends blank lines while the provider is silent', async () => {
    await using endpoint = await startProxy(() => NEVER, { keepAliveMs: 10 })
    const reader = (await endpoint.ask()).body?.getReader()
    const { value } = (await reader?.read()) ?? {}
    expect(Buffer.from(value ?? []).toString()).toMatch(/^\n+$/)
    await reader?.cancel()
  })

  it('ends the provider’s request when its client disconnects', async () => {
    await using upstream = await rawSseServer({
      body: ['data: {"choices":[{"delta":{"content":"a"}}]}\n\n'],
      ending: 'stall',
    })
    const provider = openAiCompletions({ provider: 'test', baseUrl: upstream.url })
    await using endpoint = await startProxy(provider)
    const reader = (await endpoint.ask()).body?.getReader()
    await reader?.read()
    await reader?.cancel()
    const { abandoned } = await upstream.request(0)
    await abandoned
  })

  it('ends every request to a provider when the proxy ends', async () => {
    const disconnected = Promise.withResolvers<string>()
    const endpoint = await startProxy(() => new Observable(() => () => disconnected.resolve('gone')))
    const response = await endpoint.ask()
    await endpoint[Symbol.asyncDispose]()
    expect(await disconnected.promise).toBe('gone')
    await expect(response.text()).rejects.toThrow()
  })
})

describe('a client that takes nothing [S11f]', () => {
  const piece: AssistantDelta = { type: 'text_delta', contentIndex: 0, text: 'x'.repeat(1_000) }
  const many = 20_000

  /** Emits far more than socket buffers hold, at once. */
  function flood(): Observable<AssistantDelta> {
    return from<AssistantDelta[]>([
      { type: 'text_start', contentIndex: 0 },
      ...Array<AssistantDelta>(many).fill({ type: 'text_delta', contentIndex: 0, text: 'x'.repeat(400) }),
      { type: 'text_end', contentIndex: 0 },
      { type: 'done', stopReason: 'stop', usage: noUsage },
    ])
  }

  it('gets joined pieces when it reads again, and loses nothing', async () => {
    await using endpoint = await startProxy(flood)
    const body = await (await endpoint.ask()).text()
    const lines = body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as AssistantDelta)
    expect(lines.length).toBeLessThan(many / 2)
    expect(lines.reduce((sum, line) => sum + ('text' in line ? line.text.length : 0), 0)).toBe(many * 400)
  })

  it('is disconnected after the time limit, and the provider’s request ends', async () => {
    const disconnected = Promise.withResolvers<string>()
    const provider: Provider = () =>
      new Observable((subscriber) => {
        for (let sent = 0; sent < 12_000; sent++) subscriber.next(piece)
        return () => disconnected.resolve('gone')
      })
    await using endpoint = await startProxy(provider, { takingMs: 50 })
    const { port } = new URL(endpoint.url)
    const socket = connect(Number(port), '127.0.0.1').pause()
    const body = JSON.stringify(requestBody())
    const head = { host: `localhost:${port}`, ...bearer, 'content-length': String(body.length) }
    const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`)
    socket.write(`POST /v1/stream HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
    expect(await disconnected.promise).toBe('gone')
    socket.destroy()
  })

  it('is disconnected if too much waits for it', async () => {
    const disconnected = Promise.withResolvers<string>()
    const text = 'x'.repeat(1024 * 1024)
    const endless$ = new Observable<AssistantDelta>((subscriber) => {
      subscriber.add(() => disconnected.resolve('gone'))
      while (!subscriber.closed) subscriber.next({ type: 'text_delta', contentIndex: 0, text })
    })
    await using endpoint = await startProxy(() => endless$)
    const response = await endpoint.ask()
    expect(await disconnected.promise).toBe('gone')
    await expect(response.text()).rejects.toThrow()
  })
})
