// Tests how Google's answers become deltas.
import { describe, expect, it } from 'vitest'
import { rawSseServer } from '../../support/raw-sse-server.ts'
import { foldDeltas } from '../offline/fold-deltas.ts'
import { callPiece, chunk, frame, lastChunk, usage } from './google-chunks.ts'
import { deltasOf, answered, failed } from './google-scene.ts'

describe('an answer', () => {
  it('emits its id and the served model before its first block', async () => {
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

  it('emits streamed arguments piece by piece, and the object at the end', async () => {
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

  it('creates unique ids for calls without one', async () => {
    const call = chunk([{ functionCall: { name: 'now' } }])
    const { content } = await answered(call, call, lastChunk())
    expect(content.map((block) => block.type === 'toolCall' && block.id)).toEqual(['call_1_resp_1', 'call_2_resp_1'])
  })

  it('with calls and finish reason STOP has the stop reason toolUse unless the output limit cut it', async () => {
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

  it('that is not streamed is read as a whole, from a list or a single object', async () => {
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
  ])('with finish reason %s has the kind %s and its reason', async (reason, kind) => {
    const failure = await failed({
      body: [chunk([{ text: 'a' }]), lastChunk(reason, [], { finishMessage: 'As told.' })],
    })
    expect(failure).toMatchObject({ data: { kind, providerCode: reason } })
    expect(failure.message).toContain('As told.')
  })

  it('because the prompt was blocked has the kind refused', async () => {
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
  ])('with status %i and %j has the kind %s', async (status, more, kind) => {
    const error = { code: status, message: 'as said', ...more }
    const headers = { 'content-type': 'application/json' }
    expect(await failed({ status, headers, body: [JSON.stringify({ error })] })).toMatchObject({
      message: `maker answered ${status}: as said`,
      data: { kind, status },
    })
    expect((await failed({ body: [frame({ error })] })).data).toMatchObject({ kind, status })
  })

  it('has the time to wait from a header or its details', async () => {
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
  ])('by ending %s has the kind early_end', async (_, body) => {
    expect((await failed({ body })).data.kind).toBe('early_end')
  })
})
