// Tests what the adapter of Mistral's own API sends, and how it reads answers and errors.
import { of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { mistralConversations } from '../../../lib/providers/endpoints/apis.ts'
import type { MistralOptions } from '../../../lib/providers/mistral/mistral-options.ts'
import { mistralUsage } from '../../../lib/providers/mistral/mistral-response.ts'
import type { Model } from '../../../lib/streams/models/model.ts'
import { rawSseServer } from '../../support/raw-sse-server.ts'
import { requestsWire } from '../adapter/sent-request.ts'
import { callChunk, chunk, textChunk } from '../openai/openai-chunks.ts'
import { mistralEnding, thinkingChunk } from './mistral-frames.ts'

const model: Model = { id: 'm', provider: 'maker', api: 'mistral-conversations', inputs: ['text'], reasoning: true }
const { deltasOf, answered, failed } = requestsWire<MistralOptions>(model, (options) =>
  mistralConversations({ provider: 'maker', ...options }),
)
const json = { 'content-type': 'application/json' }

describe('a request', () => {
  it.each(['', '/', '/v1', '/v1/'])('goes to the same path from the base URL with "%s"', async (path) => {
    await using server = await rawSseServer({ body: [mistralEnding()] })
    await deltasOf({ baseUrl: `${server.url}${path}` })
    expect(server.requests.map((request) => request.path)).toEqual(['/v1/chat/completions'])
  })

  it('has the key, the headers of the endpoint, and the session for the cache', async () => {
    await using server = await rawSseServer({ body: [mistralEnding()] })
    await deltasOf({ baseUrl: server.url, apiKey$: of('sk-test'), headers: { 'X-Own': '1' } }, { sessionId: 's' })
    expect(server.requests[0]?.headers).toMatchObject({
      accept: 'text/event-stream',
      authorization: 'Bearer sk-test',
      'content-type': 'application/json',
      'user-agent': 'rxpi',
      'x-affinity': 's',
      'x-own': '1',
    })
  })

  it('has neither key nor session if there are none, and no session if the cache is off', async () => {
    await using server = await rawSseServer({ body: [mistralEnding()] })
    await deltasOf({ baseUrl: server.url })
    await deltasOf({ baseUrl: server.url, compat: { promptCacheKey: false } }, { sessionId: 's' })
    for (const { headers } of server.requests) {
      expect(headers).not.toHaveProperty('authorization')
      expect(headers).not.toHaveProperty('x-affinity')
    }
  })

  it('overrides its headers by those of the endpoint', async () => {
    await using server = await rawSseServer({ body: [mistralEnding()] })
    await deltasOf({ baseUrl: server.url, headers: { 'x-affinity': 'mine' } }, { sessionId: 's' })
    expect(server.requests[0]?.headers['x-affinity']).toBe('mine')
  })

  it('is not sent with a key that no header can hold', async () => {
    const failure = await failed({ body: [mistralEnding()] }, { apiKey$: of('sk secret') })
    expect(failure).toMatchObject({ data: { kind: 'auth' } })
    expect(failure.message).not.toContain('secret')
  })
})

describe('an answer', () => {
  it('separates thinking and text, and has no signature', async () => {
    const frames = [thinkingChunk('Hm. '), thinkingChunk('Yes.'), chunk({ content: [{ type: 'text', text: 'A' }] })]
    const message = await answered(...frames, textChunk('b'), mistralEnding())
    expect(message.content).toEqual([
      { type: 'thinking', thinking: 'Hm. Yes.' },
      { type: 'text', text: 'Ab' },
    ])
  })

  it('gives calls with the id `null` ids of their own', async () => {
    const calls = [0, 1].map((index) => callChunk(index, '{"path":"a"}', { id: 'null', name: 'read' }))
    const { content, stopReason } = await answered(...calls, mistralEnding('tool_calls'))
    const ids = content.map((block) => (block.type === 'toolCall' ? block.id : ''))
    expect([new Set(ids).size, ids.includes('null'), stopReason]).toEqual([2, false, 'toolUse'])
  })

  it('ends at the limit with `length`', async () => {
    for (const reason of ['length', 'model_length'])
      expect((await answered(textChunk('a'), mistralEnding(reason))).stopReason).toBe('length')
  })

  it('fails if it ended in an error', async () => {
    expect(await failed({ body: [textChunk('a'), mistralEnding('error')] })).toMatchObject({
      data: { kind: 'overloaded', providerCode: 'error' },
    })
  })
})

describe('an error', () => {
  const tooLong =
    'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length'
  it.each([
    [400, { object: 'error', message: tooLong, type: 'invalid_request_prompt', code: '3051' }, 'context_overflow'],
    [
      400,
      { object: 'error', message: 'Expected last role User', type: 'invalid_request_message_order' },
      'bad_request',
    ],
    [422, { object: 'error', message: { detail: [{ loc: ['body'], msg: 'Input should be valid' }] } }, 'bad_request'],
    [401, { message: 'Unauthorized', request_id: 'r' }, 'auth'],
    [429, { object: 'error', message: 'Requests rate limit exceeded', type: 'rate_limited' }, 'rate_limit'],
    [503, { object: 'error', message: 'Service unavailable.', type: 'unreachable_backend' }, 'overloaded'],
  ])('with status %i and %j is of its kind', async (status, body, kind) => {
    const failure = await failed({ status, headers: json, body: [JSON.stringify(body)] })
    expect(failure).toMatchObject({ code: 'provider_error', data: { kind, status } })
  })
})

describe('the usage', () => {
  const cached = { input: 10, cacheRead: 90, output: 5, totalTokens: 105 }
  it.each([
    [{ prompt_tokens_details: { cached_tokens: 90 } }],
    [{ prompt_token_details: { cached_tokens: 90 } }],
    [{ num_cached_tokens: 90 }],
  ])('subtracts cached tokens of %j', (details) => {
    expect(mistralUsage({ prompt_tokens: 100, completion_tokens: 5, ...details }, undefined)).toMatchObject(cached)
  })

  it.each([[undefined], ['text'], [{}], [{ prompt_tokens: '3' }]])('is unknown for %j', (value) => {
    expect(mistralUsage(value, undefined)).toBeUndefined()
  })
})
