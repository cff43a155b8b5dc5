// Tests the requests and answers of the Messages API adapter over HTTP.
// Over 250 lines: one API, with each field of its requests and each event of its answers.
import { lastValueFrom, of } from 'rxjs'
import { describe, expect, it, vi } from 'vitest'
import { anthropicMessages } from '../../../lib/providers/endpoints/apis.ts'
import type { AnthropicMessagesOptions } from '../../../lib/providers/anthropic/anthropic-messages-options.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { Model } from '../../../lib/streams/models/model.ts'
import { rawSseServer } from '../../support/raw-sse-server.ts'
import type { RawAnswer } from '../../support/raw-sse-server.ts'
import { aRequest } from '../offline/a-request.ts'
import { block, callBlock, event, messageEnd, messageStart, textBlock, thinkingBlock } from './anthropic-events.ts'
import { foldDeltas } from '../offline/fold-deltas.ts'
import { aUser } from '../adapter/messages.ts'
import { requestsWire } from '../adapter/sent-request.ts'

const prices = { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 1.25 }
const model: Model = {
  id: 'm',
  provider: 'maker',
  api: 'anthropic-messages',
  inputs: ['text'],
  reasoning: false,
  prices,
}

const { deltasOf, answered, failed } = requestsWire<AnthropicMessagesOptions>(model, (options) =>
  anthropicMessages({ provider: 'maker', ...options }),
)

describe('a request', () => {
  const whole = [messageStart(), ...messageEnd()]

  it.each(['', '/', '/v1', '/v1/'])('goes to /v1/messages of a base URL that ends in "%s"', async (end) => {
    await using server = await rawSseServer({ body: whole })
    await deltasOf({ baseUrl: `${server.url}/proxy${end}` })
    expect(server.requests[0]).toMatchObject({ method: 'POST', path: '/proxy/v1/messages' })
    expect(server.requests[0]?.json()).toMatchObject({ model: 'm', stream: true })
  })

  it('sends key and version in the form of compatible endpoints, and nothing of the environment of the process', async () => {
    vi.stubEnv('ANTHROPIC_API_KEY', 'sk-of-the-server')
    vi.stubEnv('ANTHROPIC_AUTH_TOKEN', 'token-of-the-server')
    vi.stubEnv('ANTHROPIC_BASE_URL', 'http://of-the-server.invalid')
    vi.stubEnv('ANTHROPIC_CUSTOM_HEADERS', 'X-Of-The-Server: yes')
    await using server = await rawSseServer({ body: whole })
    await deltasOf({ baseUrl: server.url, apiKey$: of('sk-test'), headers: { 'X-Mine': '1' } })
    await deltasOf({ baseUrl: server.url })
    const [first, second] = server.requests.map(({ headers }) => headers)
    expect(first).toMatchObject({ 'x-api-key': 'sk-test', 'anthropic-version': '2023-06-01', 'x-mine': '1' })
    expect(first).not.toHaveProperty('authorization')
    expect(second).not.toHaveProperty('x-api-key')
    expect(second).not.toHaveProperty('authorization')
    expect(JSON.stringify([first, second])).not.toContain('of-the-server')
  })

  it('uses the vendor dialect if compat sets it', async () => {
    await using server = await rawSseServer({ body: whole })
    const compat = { dialect: 'vendor', boundThinking: true } as const
    const headers = { 'anthropic-beta': 'mine-2026-01-01' }
    await deltasOf({ baseUrl: server.url, apiKey$: of('sk-test'), compat, headers })
    const sent = server.requests[0]?.headers
    expect(sent).toMatchObject({ authorization: 'Bearer sk-test', 'anthropic-version': '2026-10-21' })
    expect(sent?.['anthropic-beta']).toContain('thinking-binding-controls-2026-08-01')
    expect(sent?.['anthropic-beta']).toContain('mine-2026-01-01')
    expect(sent).not.toHaveProperty('x-api-key')
  })

  it('writes nothing to the console, whatever the model', async () => {
    const warn = vi.spyOn(console, 'warn')
    await using server = await rawSseServer({ body: whole })
    const provider = anthropicMessages({ provider: 'maker', baseUrl: server.url })
    const old = { ...model, id: 'claude-sonnet-4-5', reasoning: true }
    await lastValueFrom(provider(aRequest({ model: old, messages: [aUser('a')], thinkingLevel: 'high' })), {
      defaultValue: undefined,
    })
    expect(warn).not.toHaveBeenCalled()
  })

  it.each<[string, RawAnswer]>([
    ['a status that SDKs retry', { status: 529, body: ['{"error":{"message":"later"}}'] }],
    ['a connection that is cut before the answer', { ending: 'reset', body: [] }],
  ])('is sent once: %s', async (_, answer) => {
    await using server = await rawSseServer(answer)
    await expect(deltasOf({ baseUrl: server.url })).rejects.toBeInstanceOf(Failure)
    expect(server.requests).toHaveLength(1)
  })

  it('hides the key in every error text', async () => {
    const error = event({ type: 'error', error: { type: 'api_error', message: 'bad key sk-secret-1' } })
    const inStream = await failed({ body: [messageStart(), error] }, { apiKey$: of('sk-secret-1') })
    const body = '{"type":"error","error":{"type":"authentication_error","message":"bad key sk-secret-1"}}'
    const asStatus = await failed({ status: 401, body: [body] }, { apiKey$: of('sk-secret-1') })
    const unsendable = await failed({}, { apiKey$: of('sk-secret-1\n') })
    for (const { message } of [inStream, asStatus, unsendable]) expect(message).not.toContain('sk-secret-1')
    expect([inStream, asStatus, unsendable].map(({ data }) => data.kind)).toEqual(['overloaded', 'auth', 'auth'])
  })
})

describe('an answer', () => {
  it('emits its id and the served model before its first block', async () => {
    await using server = await rawSseServer({ body: [messageStart(), ...textBlock(0, 'a'), ...messageEnd()] })
    const [first] = await deltasOf({ baseUrl: server.url })
    expect(first).toEqual({ type: 'start', responseId: 'msg_1', model: 'served' })
  })

  it('keeps the blocks of the API separate, with their signatures', async () => {
    const { content } = await answered(
      messageStart(),
      ...thinkingBlock(0, 's1', 'one'),
      ...thinkingBlock(1, 's2', 'two'),
      ...thinkingBlock(2, 's3'),
      ...block(3, { type: 'redacted_thinking', data: 's4' }),
      ...textBlock(4, 'a'),
      ...textBlock(5, 'b'),
      ...messageEnd(),
    )
    expect(content).toEqual([
      { type: 'thinking', thinking: 'one', thinkingSignature: 's1' },
      { type: 'thinking', thinking: 'two', thinkingSignature: 's2' },
      { type: 'thinking', thinking: '', thinkingSignature: 's3' },
      { type: 'thinking', thinking: '', thinkingSignature: 's4', redacted: true },
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ])
  })

  it('ignores tools that ran at the provider', async () => {
    const { content, stopReason } = await answered(
      messageStart(),
      ...block(
        0,
        { type: 'server_tool_use', id: 's', name: 'x', input: {} },
        { type: 'input_json_delta', partial_json: '{}' },
      ),
      ...block(1, { type: 'web_search_tool_result', tool_use_id: 's', content: [] }),
      ...textBlock(2, 'found'),
      ...messageEnd(),
    )
    expect({ content, stopReason }).toEqual({ content: [{ type: 'text', text: 'found' }], stopReason: 'stop' })
  })

  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['a_word_of_next_year', 'stop'],
  ])('with stop reason %s has the stop reason %s', async (reason, expected) => {
    expect((await answered(messageStart(), ...messageEnd(reason))).stopReason).toBe(expected)
  })

  it('with calls has the stop reason toolUse unless the output limit cut it', async () => {
    const call = callBlock(0, 'toolu_1', 'read', '{}')
    expect((await answered(messageStart(), ...call, ...messageEnd('end_turn'))).stopReason).toBe('toolUse')
    expect((await answered(messageStart(), ...call, ...messageEnd('max_tokens'))).stopReason).toBe('length')
  })

  it('counts each token once: later numbers replace earlier ones', async () => {
    const usage = { input_tokens: 10, output_tokens: 1, cache_read_input_tokens: 20, cache_creation_input_tokens: 30 }
    const last = { output_tokens: 50, input_tokens: null, output_tokens_details: { thinking_tokens: 40 } }
    const delta = event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: last })
    const message = await answered(messageStart(usage), delta, event({ type: 'message_stop' }))
    expect(message.usage).toEqual({
      input: 10,
      output: 50,
      cacheRead: 20,
      cacheWrite: 30,
      reasoning: 40,
      totalTokens: 110,
      cost: expect.objectContaining({ total: expect.closeTo((10 + 100 + 2 + 37.5) / 1e6, 12) as number }) as object,
    })
  })

  it('that is not streamed is read as a whole', async () => {
    const content = [
      { type: 'thinking', thinking: 'Hm.', signature: 's' },
      { type: 'text', text: 'All at once.' },
      { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a' } },
    ]
    const usage = { input_tokens: 1, output_tokens: 2 }
    const body = JSON.stringify({ id: 'x', type: 'message', model: 'served', content, stop_reason: 'tool_use', usage })
    await using server = await rawSseServer({ headers: { 'content-type': 'application/json' }, body: [body] })
    const message = foldDeltas(await deltasOf({ baseUrl: server.url }))
    expect(message.content).toMatchObject([{ thinking: 'Hm.' }, { text: 'All at once.' }, { arguments: { path: 'a' } }])
    expect({ tokens: message.usage.totalTokens, stopReason: message.stopReason }).toEqual({
      tokens: 3,
      stopReason: 'toolUse',
    })
  })
})

describe('an answer that fails', () => {
  it('in an error event has its message, after the usage so far', async () => {
    const error = event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })
    await using server = await rawSseServer({ body: [messageStart(), ...textBlock(0, 'a'), error] })
    const deltas: AssistantDelta[] = []
    const ended = new Promise((resolve) => {
      anthropicMessages({ provider: 'maker', baseUrl: server.url })(aRequest({ model })).subscribe({
        next: (delta) => deltas.push(delta),
        error: resolve,
      })
    })
    expect(await ended).toMatchObject({ message: 'maker: Overloaded', data: { kind: 'overloaded' } })
    expect(deltas.at(-1)).toMatchObject({ type: 'usage', usage: { input: 3 } })
  })

  it.each([
    [400, 'invalid_request_error', 'bad_request'],
    [401, 'authentication_error', 'auth'],
    [403, 'permission_error', 'auth'],
    [404, 'not_found_error', 'bad_request'],
    [413, 'request_too_large', 'context_overflow'],
    [429, 'rate_limit_error', 'rate_limit'],
    [500, 'api_error', 'overloaded'],
    [504, 'timeout_error', 'overloaded'],
    [529, 'overloaded_error', 'overloaded'],
  ])('with status %i and %s has the kind %s', async (status, type, kind) => {
    const body = JSON.stringify({ type: 'error', error: { type, message: 'as said' } })
    const failure = await failed({ status, headers: { 'content-type': 'application/json' }, body: [body] })
    expect(failure).toMatchObject({ message: `maker answered ${status}: as said`, data: { kind, status } })
  })

  it('with status 402 and billing_error has the kind auth, and says that there is no credit [FIRST-results]', async () => {
    const body = JSON.stringify({ type: 'error', error: { type: 'billing_error', message: 'as said' } })
    const failure = await failed({ status: 402, headers: { 'content-type': 'application/json' }, body: [body] })
    expect(failure).toMatchObject({
      message: 'maker answered 402: no credit is left on this account (as said)',
      data: { kind: 'auth', status: 402, noCredit: true },
    })
  })

  it('by a refusal has its reason', async () => {
    const details = { stop_details: { type: 'refusal', category: 'cyber', explanation: 'It was blocked.' } }
    const failure = await failed({ body: [messageStart(), ...messageEnd('refusal', details)] })
    expect(failure).toMatchObject({
      message: 'maker refused to answer: It was blocked.',
      data: { kind: 'refused', providerCode: 'refusal', category: 'cyber' },
    })
  })

  it.each([
    ['without its last event', [messageStart(), ...textBlock(0, 'a'), ...messageEnd().slice(0, 1)]],
    ['in a frame that is cut', [messageStart(), 'event: content_block_start\ndata: {"type":"cont']],
    ['before it began', []],
  ])('by ending %s has the kind early_end', async (_, body) => {
    expect((await failed({ body })).data.kind).toBe('early_end')
  })

  it.each([
    ['a JSON document that is no message', '{"status":"ok"}', 'bad_request'],
    ['a JSON error with status 200', '{"error":{"message":"no","type":"invalid_request_error"}}', 'bad_request'],
  ])('because it is %s has the kind %s', async (_, body, kind) => {
    const failure = await failed({ headers: { 'content-type': 'application/json' }, body: [body] })
    expect(failure.data.kind).toBe(kind)
  })
})
