// Tests the chat completions adapter against an independent server and a raw one.
import { LLMock } from '@copilotkit/aimock'
import { Type } from '@sinclair/typebox'
import { EMPTY, NEVER, concat, lastValueFrom, of, takeWhile, throwError } from 'rxjs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { decodeEvents } from '../../../../lib/providers/adapter/sdk-response.ts'
import { openAiCompletionsDecoder } from '../../../../lib/providers/openai/completions/openai-completions-decoder.ts'
import { openAiCompletions } from '../../../../lib/providers/endpoints/apis.ts'
import type { AssistantDelta } from '../../../../lib/streams/messages/delta.ts'
import { Failure } from '../../../../lib/streams/values/failure.ts'
import type { ProviderRequest } from '../../../../lib/streams/ports/provider.ts'
import { rawSseServer } from '../../../support/raw-sse-server.ts'
import type { RawAnswer } from '../../../support/raw-sse-server.ts'
import { aRequest } from '../../offline/a-request.ts'
import { foldDeltas } from '../../offline/fold-deltas.ts'
import { aResult, aUser, anAnswer } from '../../adapter/messages.ts'
import { ending, frame, textChunk } from '../openai-chunks.ts'
import { model, deltasOf, failed } from './openai-completions-scene.ts'

describe('against an independent server', () => {
  const mock = new LLMock({ port: 0 })
  beforeAll(async () => {
    mock.onToolResult('call_read', { content: 'It says A.' })
    mock.onMessage('hello', { content: 'Hello to you, too.', reasoning: 'A greeting.' })
    mock.onMessage('read', { toolCalls: [{ id: 'call_read', name: 'read', arguments: '{"path":"a"}' }] })
    mock.onMessage('busy', { error: { message: 'Slow down', type: 'rate_limit_error' }, status: 429, retryAfter: 7 })
    mock.onMessage('locked', { error: { message: 'No such key', type: 'authentication_error' }, status: 401 })
    mock.onMessage('cut', { content: 'x'.repeat(2000) }, { chunkSize: 10, disconnectAfterMs: 60, latency: 5 })
    await mock.start()
  })
  afterAll(() => mock.stop())
  const ask = (text: string, more: Partial<ProviderRequest> = {}) =>
    deltasOf({ baseUrl: `${mock.url}/v1`, apiKey$: of('sk-test') }, { messages: [aUser(text)], ...more })

  it('answers with text and usage', async () => {
    const message = foldDeltas(await ask('hello'))
    expect(message.content).toEqual([
      { type: 'thinking', thinking: 'A greeting.', thinkingSignature: 'reasoning_content' },
      { type: 'text', text: 'Hello to you, too.' },
    ])
    expect(message.usage.output).toBeGreaterThan(0)
    expect(message.stopReason).toBe('stop')
  })

  it('calls a tool and continues with its result', async () => {
    const tools = [{ name: 'read', description: 'Reads.', parameters: Type.Object({ path: Type.String() }) }]
    const first = foldDeltas(await ask('read a', { tools }))
    expect(first.content).toEqual([{ type: 'toolCall', id: 'call_read', name: 'read', arguments: { path: 'a' } }])
    const messages = [aUser('read a'), { ...anAnswer(), content: first.content }, aResult('call_read', 'A')]
    const second = foldDeltas(await ask('', { tools, messages }))
    expect(second.content).toEqual([{ type: 'text', text: 'It says A.' }])
  })

  it('fails with kind auth for a 401', async () => {
    await expect(ask('locked')).rejects.toMatchObject({
      message: 'maker answered 401: No such key',
      data: { kind: 'auth', status: 401 },
    })
  })

  it('fails with kind rate_limit and the time to wait for a 429', async () => {
    await expect(ask('busy')).rejects.toMatchObject({ data: { kind: 'rate_limit', status: 429, retryAfterMs: 7000 } })
  })

  it('fails with kind network if the server closes the connection', async () => {
    await expect(ask('cut')).rejects.toMatchObject({ data: { kind: 'network' } })
  })
})

describe('a request', () => {
  it('goes to the path of the base URL with the key, and with nothing of the environment of the process', async () => {
    vi.stubEnv('OPENAI_ORG_ID', 'org-of-the-server')
    vi.stubEnv('OPENAI_PROJECT_ID', 'project-of-the-server')
    vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'X-Of-The-Server: yes')
    vi.stubEnv('OPENAI_API_KEY', 'sk-of-the-server')
    await using server = await rawSseServer({ body: [ending()] })
    await deltasOf({ baseUrl: `${server.url}/v1/`, apiKey$: of('sk-test'), headers: { 'X-Mine': '1' } })
    await deltasOf({ baseUrl: `${server.url}/v1`, organization: 'org', project: 'project' })
    const [first, second] = server.requests
    expect(first).toMatchObject({ method: 'POST', path: '/v1/chat/completions' })
    expect(first?.headers).toMatchObject({ authorization: 'Bearer sk-test', 'x-mine': '1' })
    expect(Object.keys(first?.headers ?? {})).not.toContain('openai-organization')
    expect(JSON.stringify(server.requests.map(({ headers }) => headers))).not.toContain('of-the-server')
    expect(second?.headers).toMatchObject({ 'openai-organization': 'org', 'openai-project': 'project' })
    expect(Object.keys(second?.headers ?? {})).not.toContain('authorization')
  })

  it('has the body of the request builder', async () => {
    await using server = await rawSseServer({ body: [ending()] })
    await deltasOf({ baseUrl: server.url }, { system: 'Be brief.' })
    expect(server.requests[0]?.json()).toMatchObject({
      model: 'm',
      stream: true,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello' },
      ],
    })
  })

  it('reuses the connection of a complete answer', async () => {
    await using server = await rawSseServer({ body: [textChunk('a'), ending()] })
    const provider = openAiCompletions({ provider: 'maker', baseUrl: server.url })
    for (let turn = 0; turn < 6; turn++) {
      await lastValueFrom(provider(aRequest({ model })), { defaultValue: undefined })
    }
    expect(server.sockets).toBeLessThanOrEqual(2) // fetch may open a second socket while it releases the first
  })

  it.each<[string, RawAnswer]>([
    ['a status that SDKs retry', { status: 503, body: ['{"error":{"message":"later"}}'] }],
    ['a status with a retry-after', { status: 429, headers: { 'retry-after': '0' } }],
    ['a connection that is cut before the answer', { ending: 'reset', body: [] }],
  ])('is sent once: %s', async (_, answer) => {
    await using server = await rawSseServer(answer)
    await expect(deltasOf({ baseUrl: server.url })).rejects.toBeInstanceOf(Failure)
    expect(server.requests).toHaveLength(1)
  })

  it('is not sent if the key is not available', async () => {
    await using server = await rawSseServer({})
    const noKey = new Failure('provider_error', 'no key', { data: { kind: 'auth' } })
    const sentRequests = deltasOf({ baseUrl: server.url, apiKey$: throwError(() => noKey) })
    await expect(sentRequests).rejects.toBe(noKey)
    await expect(deltasOf({ baseUrl: server.url, apiKey$: EMPTY })).rejects.toMatchObject({
      data: { kind: 'early_end' },
    })
    expect(server.requests).toHaveLength(0)
  })

  it('is not sent with a key that is no valid header value, and hides it', async () => {
    const failure = await failed({}, { apiKey$: of('sk-secret\n2') })
    expect(failure.data.kind).toBe('auth')
    expect(failure.message).not.toContain('sk-secret')
  })

  it.each([
    ['an error in mid-stream', frame({ error: { message: 'bad key sk-secret-1 of your-secret' } })],
    ['an error event that is no JSON', 'event: error\ndata: bad key sk-secret-1 of your-secret\n\n'],
    ['a frame that is no JSON', 'data: sk-secret-1 of your-secret\n\n'],
  ])('that fails by %s hides the key', async (_, body) => {
    const headers = { 'X-Gateway-Token': 'your-secret' }
    const failure = await failed({ body: [textChunk('a'), body] }, { apiKey$: of('sk-secret-1'), headers })
    expect(failure.message).toContain('[key] of [key]')
    expect(failure.message).not.toMatch(/sk-secret|your-secret/)
  })

  it('leaves no timer if its subscriber unsubscribes at the last delta', () => {
    vi.useFakeTimers()
    try {
      const events = { data: textChunk('a').slice(6) }
      const last = { data: JSON.stringify({ choices: [{ delta: { content: 'b' }, finish_reason: 'stop' }] }) }
      const deltas: AssistantDelta[] = []
      const context = { provider: 'maker' }
      concat(of(events, last), NEVER)
        .pipe(
          decodeEvents((emit) => openAiCompletionsDecoder({ model, context }, emit), context),
          takeWhile((delta) => delta.type !== 'text_delta' || delta.text !== 'b'),
        )
        .subscribe((delta) => deltas.push(delta))
      expect(deltas.map(({ type }) => type)).toEqual(['start', 'text_start', 'text_delta'])
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  it('fails with kind network and advice if no server listens', async () => {
    const server = await rawSseServer({})
    await server[Symbol.asyncDispose]()
    await expect(deltasOf({ baseUrl: server.url })).rejects.toMatchObject({
      message: 'maker could not be reached: nothing answers there; is it running?',
      data: { kind: 'network' },
    })
  })
})
