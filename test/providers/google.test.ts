import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { of } from 'rxjs'
import { describe, expect, it, vi } from 'vitest'
import { googleGenerativeAi } from '../../lib/providers/google-generative-ai.ts'
import type { GoogleOptions } from '../../lib/providers/google-generative-ai.ts'
import { Failure } from '../../lib/streams/failure.ts'
import type { Model } from '../../lib/streams/model.ts'
import { rawSseServer } from '../support/raw-sse-server.ts'
import type { RawAnswer } from '../support/raw-sse-server.ts'
import { foldDeltas } from './fold-deltas.ts'
import { callPiece, chunk, frame, lastChunk, usage } from './google-chunks.ts'
import { askedWire } from './wire-asked.ts'

const model: Model = { id: 'm', provider: 'maker', api: 'google-generative-ai', inputs: ['text'], reasoning: false }

const { deltasOf, answered, failed } = askedWire<GoogleOptions>(model, (options) =>
  googleGenerativeAi({ provider: 'maker', ...options }),
)

describe('a request', () => {
  const whole = [lastChunk()]
  const path = '/models/m:streamGenerateContent?alt=sse'

  it.each([
    ['', '/v1beta'],
    ['/', '/v1beta'],
    ['/v1beta', '/v1beta'],
    ['/proxy/v1', '/proxy/v1'],
  ])('goes to the path of a base URL that ends in "%s"', async (end, base) => {
    await using server = await rawSseServer({ body: whole })
    await deltasOf({ baseUrl: `${server.url}${end}` }, { system: 'Be brief.', temperature: 0.5 })
    expect(server.requests[0]).toMatchObject({ method: 'POST', path: `${base}${path}` })
    expect(server.requests[0]?.json()).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
      systemInstruction: { role: 'user', parts: [{ text: 'Be brief.' }] },
      generationConfig: { temperature: 0.5 },
    })
  })

  it('has the key that it was given, and nothing of this process', async () => {
    vi.stubEnv('GEMINI_API_KEY', 'of-the-server')
    vi.stubEnv('GOOGLE_API_KEY', 'of-the-server')
    vi.stubEnv('GOOGLE_GENAI_USE_VERTEXAI', 'true')
    vi.stubEnv('GOOGLE_CLOUD_PROJECT', 'of-the-server')
    vi.stubEnv('GOOGLE_GEMINI_BASE_URL', 'http://of-the-server.invalid')
    vi.stubEnv('GOOGLE_GENAI_API_VERSION', 'v9')
    const said = [vi.spyOn(console, 'debug'), vi.spyOn(console, 'warn'), vi.spyOn(console, 'log')]
    await using server = await rawSseServer({ body: whole })
    await deltasOf({ baseUrl: server.url, apiKey$: of('sk-test'), headers: { 'X-Mine': '1' } })
    await deltasOf({ baseUrl: server.url })
    const [first, second] = server.requests
    expect(first).toMatchObject({ path: `/v1beta${path}`, headers: { 'x-goog-api-key': 'sk-test', 'x-mine': '1' } })
    expect(second?.headers).not.toHaveProperty('x-goog-api-key')
    expect(JSON.stringify(server.requests.map(({ headers }) => headers))).not.toContain('of-the-server')
    for (const spy of said) expect(spy).not.toHaveBeenCalled()
  })

  it('to Vertex with a key names the model alone', async () => {
    vi.stubEnv('GOOGLE_CLOUD_PROJECT', 'of-the-server')
    const said = [vi.spyOn(console, 'debug'), vi.spyOn(console, 'log')]
    await using server = await rawSseServer({ body: whole })
    await deltasOf({ baseUrl: server.url, apiKey$: of('sk-test'), vertex: {} })
    expect(server.requests[0]).toMatchObject({
      path: `/v1beta1/publishers/google${path}`,
      headers: { 'x-goog-api-key': 'sk-test' },
    })
    for (const spy of said) expect(spy).not.toHaveBeenCalled()
  })

  it('to Vertex without a key gets a token by the key file, and names project and location', async () => {
    const token = {
      access_token: 'tok-1',
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      token_type: 'Bearer',
      expires_in: 3600,
    }
    await using server = await rawSseServer(({ path: asked }) =>
      asked === '/token'
        ? { headers: { 'content-type': 'application/json' }, body: [JSON.stringify(token)] }
        : { body: whole },
    )
    const folder = mkdtempSync(join(tmpdir(), 'rxpi-vertex-'))
    const [keyFile, subject] = [join(folder, 'key.json'), join(folder, 'subject')]
    const key = {
      type: 'external_account',
      audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/x',
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      token_url: `${server.url}/token`,
      credential_source: { file: subject },
    }
    writeFileSync(subject, 'subject')
    writeFileSync(keyFile, JSON.stringify(key))
    try {
      await deltasOf({ baseUrl: server.url, vertex: { project: 'p', location: 'europe-west1', keyFile } })
    } finally {
      rmSync(folder, { recursive: true })
    }
    const asked = server.requests.find(({ path: to }) => to !== '/token')
    expect(asked).toMatchObject({
      path: `/v1beta1/projects/p/locations/europe-west1/publishers/google${path}`,
      headers: { authorization: 'Bearer tok-1' },
    })
    expect(asked?.headers).not.toHaveProperty('x-goog-api-key')
  })

  it('that cannot be made for want of credentials fails with kind auth', async () => {
    const failure = await failed({}, { vertex: { project: 'p', keyFile: '/nowhere/key.json' } })
    expect(failure).toMatchObject({ code: 'provider_error', data: { kind: 'auth' } })
    expect(failure.message).toContain('maker: there are no credentials for Vertex')
  })

  it('without messages is refused before it is made', async () => {
    await using server = await rawSseServer({})
    await expect(deltasOf({ baseUrl: server.url }, { messages: [] })).rejects.toMatchObject({
      message: 'maker: contents are required',
      data: { kind: 'bad_request' },
    })
    expect(server.requests).toHaveLength(0)
  })

  it.each<[string, RawAnswer]>([
    ['a status that others try again', { status: 503, body: ['{"error":{"message":"later"}}'] }],
    ['a connection that is cut before the answer', { ending: 'reset', body: [] }],
  ])('is made once, whatever happens to it: %s', async (_, answer) => {
    await using server = await rawSseServer(answer)
    await expect(deltasOf({ baseUrl: server.url })).rejects.toBeInstanceOf(Failure)
    expect(server.requests).toHaveLength(1)
  })

  it('shows no key that was sent, wherever it comes back', async () => {
    const error = { code: 400, message: 'bad key sk-secret-1', status: 'INVALID_ARGUMENT' }
    const key = { apiKey$: of('sk-secret-1') }
    const failures = [
      await failed({ body: [chunk([{ text: 'a' }]), frame({ error })] }, key),
      await failed({ status: 400, body: [JSON.stringify({ error })] }, key),
      await failed({}, { apiKey$: of('sk-secret-1\n') }),
    ]
    for (const { message } of failures) expect(message).not.toContain('sk-secret-1')
  })
})

describe('an answer', () => {
  it('tells its id and the model that served it before its first block', async () => {
    await using server = await rawSseServer({ body: [chunk([{ text: 'a' }]), lastChunk()] })
    const [first] = await deltasOf({ baseUrl: server.url })
    expect(first).toEqual({ type: 'start', responseId: 'resp_1', model: 'served' })
  })

  it('keeps signatures with the parts that they sign', async () => {
    const { content } = await answered(
      chunk([{ text: 'Hm', thought: true }]),
      chunk([{ text: '.', thought: true, thoughtSignature: 's1' }]),
      chunk([{ text: 'a' }]),
      chunk([{ text: '', thoughtSignature: 's2' }, { text: 'b' }]),
      chunk([{ functionCall: { id: 'c', name: 'read', args: { path: 'a' } }, thoughtSignature: 's3' }]),
      lastChunk(),
    )
    expect(content).toEqual([
      { type: 'thinking', thinking: 'Hm.', thinkingSignature: 's1' },
      { type: 'text', text: 'a', textSignature: 's2' },
      { type: 'text', text: 'b' },
      { type: 'toolCall', id: 'c', name: 'read', arguments: { path: 'a' }, thoughtSignature: 's3' },
    ])
  })

  it('gives arguments piece by piece where they come so, and the object at the end', async () => {
    const piece = (jsonPath: string, stringValue: string, more = {}) =>
      callPiece({ partialArgs: [{ jsonPath, stringValue, ...more }], willContinue: true })
    const body = [
      callPiece({ id: 'c', name: 'write', willContinue: true }),
      piece('$.path', 'a'),
      piece('$.text', 'one ', { willContinue: true }),
      piece('$.text', 'two'),
      callPiece({}),
      lastChunk(),
    ]
    await using server = await rawSseServer({ body })
    const deltas = await deltasOf({ baseUrl: server.url })
    expect(deltas.flatMap((delta) => (delta.type === 'toolcall_delta' ? [delta.text] : [])).join('')).toBe(
      '{"path":"a","text":"one two"}',
    )
    expect(foldDeltas(deltas).content).toMatchObject([{ arguments: { path: 'a', text: 'one two' } }])
  })

  it('invents ids for calls that have none, each its own', async () => {
    const call = chunk([{ functionCall: { name: 'now' } }])
    const { content } = await answered(call, call, lastChunk())
    expect(content.map((block) => block.type === 'toolCall' && block.id)).toEqual(['call_1_resp_1', 'call_2_resp_1'])
  })

  it('with calls means to use tools, though its reason is STOP, unless it was cut by the limit', async () => {
    const call = chunk([{ functionCall: { name: 'now', args: {} } }])
    expect((await answered(call, lastChunk())).stopReason).toBe('toolUse')
    expect((await answered(call, lastChunk('MAX_TOKENS'))).stopReason).toBe('length')
    expect((await answered(lastChunk('A_WORD_OF_NEXT_YEAR'))).stopReason).toBe('stop')
  })

  it('counts each token once', async () => {
    const usageMetadata = {
      promptTokenCount: 100,
      cachedContentTokenCount: 60,
      toolUsePromptTokenCount: 7,
      candidatesTokenCount: 10,
      thoughtsTokenCount: 20,
      totalTokenCount: 137,
    }
    const message = await answered(frame({ candidates: [{ finishReason: 'STOP' }], usageMetadata }))
    expect(message.usage).toMatchObject({ input: 47, output: 30, cacheRead: 60, reasoning: 20, totalTokens: 137 })
  })

  it('that was not streamed is read whole, as a list or alone', async () => {
    const whole = {
      candidates: [{ content: { parts: [{ text: 'All at once.' }] }, finishReason: 'STOP' }],
      usageMetadata: usage,
    }
    for (const body of [whole, [whole]]) {
      const headers = { 'content-type': 'application/json' }
      await using server = await rawSseServer({ headers, body: [JSON.stringify(body)] })
      const message = foldDeltas(await deltasOf({ baseUrl: server.url }))
      expect(message.content).toEqual([{ type: 'text', text: 'All at once.' }])
      expect(message.usage.totalTokens).toBe(7)
    }
  })
})

describe('an answer that fails', () => {
  it.each([
    ['SAFETY', 'refused'],
    ['RECITATION', 'refused'],
    ['PROHIBITED_CONTENT', 'refused'],
    ['MALFORMED_FUNCTION_CALL', 'overloaded'],
    ['OTHER', 'overloaded'],
  ])('with finish reason %s is of kind %s and says why', async (reason, kind) => {
    const failure = await failed({
      body: [chunk([{ text: 'a' }]), lastChunk(reason, [], { finishMessage: 'As told.' })],
    })
    expect(failure).toMatchObject({ data: { kind, providerCode: reason } })
    expect(failure.message).toContain('As told.')
  })

  it('because the prompt was blocked is refused', async () => {
    for (const blockReason of ['SAFETY', 'OTHER', 'A_WORD_OF_NEXT_YEAR']) {
      const failure = await failed({ body: [frame({ promptFeedback: { blockReason }, usageMetadata: usage })] })
      expect(failure.data.kind).toBe('refused')
    }
  })

  it.each([
    [400, { status: 'INVALID_ARGUMENT' }, 'bad_request'],
    [400, { status: 'INVALID_ARGUMENT', details: [{ reason: 'API_KEY_INVALID' }] }, 'auth'],
    [401, { status: 'UNAUTHENTICATED' }, 'auth'],
    [403, { status: 'PERMISSION_DENIED' }, 'auth'],
    [404, { status: 'NOT_FOUND' }, 'bad_request'],
    [429, { status: 'RESOURCE_EXHAUSTED' }, 'rate_limit'],
    [500, { status: 'INTERNAL' }, 'overloaded'],
    [503, { status: 'UNAVAILABLE' }, 'overloaded'],
  ])('with status %i and %j is of kind %s', async (status, more, kind) => {
    const error = { code: status, message: 'as said', ...more }
    const headers = { 'content-type': 'application/json' }
    expect(await failed({ status, headers, body: [JSON.stringify({ error })] })).toMatchObject({
      message: `maker answered ${status}: as said`,
      data: { kind, status },
    })
    expect((await failed({ body: [frame({ error })] })).data).toMatchObject({ kind, status })
  })

  it('and asks to wait says how long, in a header or in its details', async () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '7.5s' }]
    const body = [
      JSON.stringify([{ error: { code: 429, message: 'Slow down', status: 'RESOURCE_EXHAUSTED', details } }]),
    ]
    expect((await failed({ status: 429, body })).data.retryAfterMs).toBe(7500)
    expect((await failed({ status: 429, headers: { 'retry-after': '3' }, body })).data.retryAfterMs).toBe(3000)
  })

  it.each([
    ['without a finish reason', [chunk([{ text: 'a' }])]],
    ['in a frame that is cut', [chunk([{ text: 'a' }]), 'data: {"candi']],
    ['before it began', []],
  ])('by ending %s is an early end', async (_, body) => {
    expect((await failed({ body })).data.kind).toBe('early_end')
  })
})
