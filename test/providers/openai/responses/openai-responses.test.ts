// Tests the requests and answers of the Responses API adapter over HTTP.
// Over 250 lines: one API, with each field of its requests and each event of its answers.
import { of } from 'rxjs'
import { describe, expect, it, vi } from 'vitest'
import { openAiResponses } from '../../../../lib/providers/endpoints/apis.ts'
import type { OpenAiResponsesOptions } from '../../../../lib/providers/openai/responses/openai-responses-options.ts'
import type { AssistantDelta } from '../../../../lib/streams/messages/delta.ts'
import { Failure } from '../../../../lib/streams/values/failure.ts'
import type { Model } from '../../../../lib/streams/models/model.ts'
import { rawSseServer } from '../../../support/raw-sse-server.ts'
import type { RawAnswer } from '../../../support/raw-sse-server.ts'
import { aRequest } from '../../offline/a-request.ts'
import { foldDeltas } from '../../offline/fold-deltas.ts'
import {
  callItem,
  completed,
  created,
  event,
  item,
  reasoningItem,
  response,
  textItem,
  usage,
} from './responses-events.ts'
import { requestsWire } from '../../adapter/sent-request.ts'

const model: Model = { id: 'm', provider: 'maker', api: 'openai-responses', inputs: ['text'], reasoning: false }

const { deltasOf, answered, failed } = requestsWire<OpenAiResponsesOptions>(model, (options) =>
  openAiResponses({ provider: 'maker', ...options }),
)

describe('a request', () => {
  it('goes to the path of the base URL with the key, and with nothing of the environment of the process', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-of-the-server')
    vi.stubEnv('OPENAI_ORG_ID', 'org-of-the-server')
    vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'X-Of-The-Server: yes')
    await using server = await rawSseServer({ body: [created, completed()] })
    await deltasOf({ baseUrl: `${server.url}/v1`, apiKey$: of('sk-test'), headers: { 'X-Mine': '1' } })
    await deltasOf({ baseUrl: `${server.url}/v1`, organization: 'org' })
    const [first, second] = server.requests
    expect(first).toMatchObject({
      method: 'POST',
      path: '/v1/responses',
      headers: { authorization: 'Bearer sk-test', 'x-mine': '1' },
    })
    expect(first?.json()).toMatchObject({ model: 'm', stream: true, store: false })
    expect(second?.headers).toMatchObject({ 'openai-organization': 'org' })
    expect(second?.headers).not.toHaveProperty('authorization')
    expect(JSON.stringify(server.requests.map(({ headers }) => headers))).not.toContain('of-the-server')
  })

  it.each([
    ['', {}, '/openai/v1/responses?api-version=v1'],
    ['/', { apiVersion: 'preview' }, '/openai/v1/responses?api-version=preview'],
    ['', { apiVersion: '2025-04-01-preview' }, '/openai/responses?api-version=2025-04-01-preview'],
    ['/proxy/openai/v1/', {}, '/proxy/openai/v1/responses?api-version=v1'],
  ])('to Azure at "%s" with %j goes to %s', async (end, more, path) => {
    vi.stubEnv('AZURE_OPENAI_API_KEY', 'sk-of-the-server')
    vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'X-Of-The-Server: yes')
    await using server = await rawSseServer({ body: [created, completed()] })
    const compat = { azure: true }
    await deltasOf({ baseUrl: `${server.url}${end}`, apiKey$: of('sk-test'), compat, ...more })
    await deltasOf({ baseUrl: `${server.url}${end}`, compat, ...more })
    const [first, second] = server.requests
    expect(first).toMatchObject({ path, headers: { 'api-key': 'sk-test' } })
    expect(first?.headers).not.toHaveProperty('authorization')
    expect(second?.headers).not.toHaveProperty('api-key')
    expect(JSON.stringify(server.requests.map(({ headers }) => headers))).not.toContain('of-the-server')
  })

  it.each<[string, RawAnswer]>([
    ['a status that others try again', { status: 503, body: ['{"error":{"message":"later"}}'] }],
    ['a connection that is cut before the answer', { ending: 'reset', body: [] }],
  ])('is sent once: %s', async (_, answer) => {
    await using server = await rawSseServer(answer)
    await expect(deltasOf({ baseUrl: server.url })).rejects.toBeInstanceOf(Failure)
    expect(server.requests).toHaveLength(1)
  })

  it('hides the key in every error text', async () => {
    const notices = { message: 'bad key sk-secret-1', code: 'invalid_api_key' }
    const frames = [
      created,
      event('error', notices),
      event('response.failed', { response: response('failed', { error: notices }) }),
    ]
    const key = { apiKey$: of('sk-secret-1') }
    const failures = [
      await failed({ body: frames.slice(0, 2) }, key),
      await failed({ body: [created, ...frames.slice(2)] }, key),
      await failed({ status: 401, body: [JSON.stringify({ error: notices })] }, key),
    ]
    for (const { message, data } of failures) {
      expect(message).toContain('bad key [key]')
      expect(data.kind).toBe('auth')
    }
  })
})

describe('an answer', () => {
  it('emits its id and the served model before its first block', async () => {
    await using server = await rawSseServer({ body: [created, ...textItem(0, 'a'), completed()] })
    const [first] = await deltasOf({ baseUrl: server.url })
    expect(first).toEqual({ type: 'start', responseId: 'resp_1', model: 'served' })
  })

  it('keeps items and the parts of a summary separate, and signs those that must be returned', async () => {
    const { content } = await answered(
      created,
      ...reasoningItem(0, 'e1', 'one', 'two'),
      ...reasoningItem(1, 'e2'),
      ...reasoningItem(2, undefined, 'unsigned'),
      ...textItem(3, 'a', { phase: 'commentary' }),
      ...textItem(4, 'b'),
      completed(),
    )
    expect(content).toEqual([
      { type: 'thinking', thinking: 'one' },
      { type: 'thinking', thinking: 'two', thinkingSignature: 'e1' },
      { type: 'thinking', thinking: '', thinkingSignature: 'e2' },
      { type: 'thinking', thinking: 'unsigned' },
      { type: 'text', text: 'a', textSignature: 'commentary' },
      { type: 'text', text: 'b' },
    ])
  })

  it('identifies its items by index if their ids change', async () => {
    const { content } = await answered(
      created,
      event('response.output_item.added', { output_index: 0, item: { id: 'a', type: 'message' } }),
      event('response.output_text.delta', { output_index: 0, item_id: 'b', delta: 'text' }),
      event('response.output_item.done', { output_index: 0, item: { id: 'c', type: 'message' } }),
      completed(),
    )
    expect(content).toEqual([{ type: 'text', text: 'text' }])
  })

  it('converts a refusal to text, streamed or not', async () => {
    const content = [{ type: 'refusal', refusal: 'I will not.' }]
    const streamed = item(0, { type: 'message', content }, { type: 'response.refusal.delta', delta: 'I will not.' })
    const whole = item(0, { type: 'message', content })
    for (const frames of [streamed, whole]) {
      expect((await answered(created, ...frames, completed())).content).toEqual([{ type: 'text', text: 'I will not.' }])
    }
  })

  it('passes the input of a free-text call as its argument', async () => {
    const pieces = ['SELECT "a"\n', 'ü\\'].map((delta) => ({ type: 'response.custom_tool_call_input.delta', delta }))
    const whole = { type: 'custom_tool_call', call_id: 'c', name: 'sql', input: 'SELECT "a"\nü\\' }
    for (const frames of [item(0, whole, ...pieces), item(0, whole)]) {
      expect((await answered(created, ...frames, completed())).content).toEqual([
        { type: 'toolCall', id: 'c', name: 'sql', arguments: { input: 'SELECT "a"\nü\\' } },
      ])
    }
  })

  it('ignores tools that ran at the provider', async () => {
    const frames = [...item(0, { type: 'web_search_call', id: 'ws' }), ...textItem(1, 'found')]
    expect((await answered(created, ...frames, completed())).content).toEqual([{ type: 'text', text: 'found' }])
  })

  it('with calls has the stop reason toolUse unless the output limit cut it', async () => {
    const call = callItem(0, 'c', 'read', '{}')
    const incomplete = {
      response: response('incomplete', { incomplete_details: { reason: 'max_output_tokens' }, usage }),
    }
    expect((await answered(created, ...call, completed())).stopReason).toBe('toolUse')
    expect((await answered(created, ...call, event('response.incomplete', incomplete))).stopReason).toBe('length')
  })

  it('that is not streamed is read as a whole', async () => {
    const output = [
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: 'e' },
      { type: 'message', content: [{ type: 'output_text', text: 'All at once.' }] },
      { type: 'function_call', call_id: 'c', name: 'read', arguments: '{"path":"a"}' },
    ]
    const body = JSON.stringify(response('completed', { output, usage, error: null }))
    await using server = await rawSseServer({ headers: { 'content-type': 'application/json' }, body: [body] })
    const message = foldDeltas(await deltasOf({ baseUrl: server.url }))
    expect(message.content).toMatchObject([{ thinking: 'Hm.' }, { text: 'All at once.' }, { arguments: { path: 'a' } }])
    expect({ tokens: message.usage.totalTokens, stopReason: message.stopReason }).toEqual({
      tokens: 7,
      stopReason: 'toolUse',
    })
  })
})

describe('an answer that fails', () => {
  it.each([
    ['an error event', [created, event('error', { code: 'server_error', message: 'It broke' })], 'overloaded'],
    [
      'an error without its event line',
      ['data: {"type":"error","code":"rate_limit_exceeded","message":"It broke"}\n\n'],
      'rate_limit',
    ],
    ['an error in an object', [event('error', { error: { code: 'invalid_api_key', message: 'It broke' } })], 'auth'],
    [
      'a failed response',
      [
        created,
        event('response.failed', {
          response: response('failed', { error: { code: 'server_error', message: 'It broke' } }),
        }),
      ],
      'overloaded',
    ],
    ['a frame of a gateway', [created, 'data: {"error":{"message":"It broke"}}\n\n'], 'overloaded'],
  ])('by %s has its message', async (_, body, kind) => {
    expect(await failed({ body })).toMatchObject({ message: 'maker: It broke', data: { kind } })
  })

  it('by a used-up quota says that there is no credit [FIRST-results]', async () => {
    const body = [event('error', { error: { code: 'insufficient_quota', message: 'It broke' } })]
    const message = 'maker: no credit is left on this account (It broke)'
    expect(await failed({ body })).toMatchObject({ message, data: { kind: 'auth', noCredit: true } })
  })

  it('by the content filter has the kind refused, after the usage', async () => {
    const incomplete = { response: response('incomplete', { incomplete_details: { reason: 'content_filter' }, usage }) }
    await using server = await rawSseServer({ body: [created, event('response.incomplete', incomplete)] })
    const deltas: AssistantDelta[] = []
    const ended = new Promise((resolve) => {
      openAiResponses({ provider: 'maker', baseUrl: server.url })(aRequest({ model })).subscribe({
        next: (delta) => deltas.push(delta),
        error: resolve,
      })
    })
    expect(await ended).toMatchObject({ data: { kind: 'refused', providerCode: 'content_filter' } })
    expect(deltas.at(-1)).toMatchObject({ type: 'usage', usage: { totalTokens: 7 } })
  })

  it.each([
    ['without its last event', [created, ...textItem(0, 'a')]],
    ['with [DONE] alone', [created, ...textItem(0, 'a'), 'data: [DONE]\n\n']],
    ['in a frame that is cut', [created, 'data: {"type":"resp']],
    ['before it began', []],
  ])('by ending %s has the kind early_end', async (_, body) => {
    expect((await failed({ body })).data.kind).toBe('early_end')
  })

  it.each([
    ['a JSON document that is no response', '{"status":"ok"}', 'bad_request'],
    [
      'a failed response that was not streamed',
      JSON.stringify(response('failed', { error: { message: 'x' } })),
      'overloaded',
    ],
    ['a cancelled response that was not streamed', JSON.stringify(response('cancelled')), 'overloaded'],
  ])('because it is %s has the kind %s', async (_, body, kind) => {
    const failure = await failed({ headers: { 'content-type': 'application/json' }, body: [body] })
    expect(failure.data.kind).toBe(kind)
  })
})
