// Tests how answers and errors of Bedrock's ConverseStream are read.
import { describe, expect, it } from 'vitest'
import { bedrockUsage } from '../../../lib/providers/bedrock/bedrock-decoder.ts'
import {
  blockStop,
  callBlock,
  callStart,
  delta,
  ending,
  event,
  exception,
  messageStart,
  messageStop,
  metadata,
  textBlock,
  thinkingBlock,
} from './bedrock-events.ts'
import { answered, deltasOf, failed, failedAfter, headers } from './bedrock-scene.ts'
import { rawSseServer } from '../../support/raw-sse-server.ts'

const json = { 'content-type': 'application/json' }
const base64 = (text: string): string => Buffer.from(text).toString('base64')

describe('an answer', () => {
  it('has its blocks, its stop reason and its usage', async () => {
    const frames = [messageStart, ...thinkingBlock(0, 'Hm.', 'sig'), ...textBlock(1, 'A', 'b')]
    const message = await answered(
      ...frames,
      ...callBlock(2, 'tooluse_1', 'read', '{"path"', ':"a"}'),
      ending('tool_use'),
    )
    expect(message).toMatchObject({
      stopReason: 'toolUse',
      content: [
        { type: 'thinking', thinking: 'Hm.', thinkingSignature: 'sig' },
        { type: 'text', text: 'Ab' },
        { type: 'toolCall', id: 'tooluse_1', name: 'read', arguments: { path: 'a' } },
      ],
      usage: { input: 3, output: 4, totalTokens: 7 },
    })
  })

  it('keeps interleaved calls apart by their index', async () => {
    const starts = [callStart(0, 'a', 'read'), callStart(1, 'b', 'read')]
    const pieces = [delta(1, { toolUse: { input: '{"n":' } }), delta(0, { toolUse: { input: '{"n":0}' } })]
    const rest = [delta(1, { toolUse: { input: '1}' } }), blockStop(0), blockStop(1), ending('tool_use')]
    const { content } = await answered(messageStart, ...starts, ...pieces, ...rest)
    expect(content).toMatchObject([
      { id: 'a', arguments: { n: 0 } },
      { id: 'b', arguments: { n: 1 } },
    ])
  })

  it('keeps hidden thinking: encrypted in pieces, or a signature alone', async () => {
    const pieces = ['seal', 'ed!!'].map((text) => delta(0, { reasoningContent: { redactedContent: base64(text) } }))
    const signed = [
      delta(1, { reasoningContent: { signature: 'si' } }),
      delta(1, { reasoningContent: { signature: 'g' } }),
    ]
    const { content } = await answered(messageStart, ...pieces, blockStop(0), ...signed, blockStop(1), ending())
    expect(content).toMatchObject([
      { type: 'thinking', redacted: true, thinkingSignature: base64('sealed!!') },
      { type: 'thinking', thinking: '', thinkingSignature: 'sig' },
    ])
  })

  it('separates two blocks of text', async () => {
    const { content } = await answered(messageStart, ...textBlock(0, 'a'), ...textBlock(1, 'b'), ending())
    expect(content).toMatchObject([{ text: 'a' }, { text: 'b' }])
  })

  it('skips blocks of other kinds', async () => {
    const image = event('contentBlockStart', { contentBlockIndex: 0, start: { image: { format: 'png' } } })
    const citation = delta(0, { citation: { title: 't' } })
    const { content } = await answered(messageStart, image, citation, blockStop(0), ...textBlock(1, 'a'), ending())
    expect(content).toMatchObject([{ type: 'text', text: 'a' }])
  })

  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['a_new_reason', 'stop'],
  ])('ends with %s as %s', async (reason, stopReason) => {
    expect((await answered(messageStart, ...textBlock(0, 'a'), ending(reason))).stopReason).toBe(stopReason)
  })

  it.each([
    ['guardrail_intervened', 'refused'],
    ['content_filtered', 'refused'],
    ['refusal', 'refused'],
    ['malformed_tool_use', 'overloaded'],
    ['malformed_model_output', 'overloaded'],
  ])('that ended with %s is a failure of kind %s', async (reason, kind) => {
    const failure = await failedAfter(messageStart, ...textBlock(0, 'a'), ending(reason))
    expect(failure).toMatchObject({ code: 'provider_error', data: { kind, providerCode: reason } })
  })

  it('counts only usage behind its end, also a broken frame there', async () => {
    const late = [...textBlock(1, 'b'), exception('internalServerException', 'late'), metadata(), Buffer.from('broken')]
    const message = await answered(messageStart, ...textBlock(0, 'a'), messageStop(), ...late)
    expect(message).toMatchObject({ content: [{ text: 'a' }], usage: { totalTokens: 7 } })
  })

  it('skips events of other names and reports them', async () => {
    await using server = await rawSseServer({ headers, body: [event('ping', {}), messageStart, ending()] })
    const deltas = await deltasOf({ baseUrl: server.url })
    expect(deltas.filter(({ type }) => type === 'warning')).toMatchObject([{ code: 'foreign_frames' }])
  })

  it('has an unknown usage for a count that no answer can have', async () => {
    await using server = await rawSseServer({
      headers,
      body: [messageStart, messageStop(), metadata({ inputTokens: -1 })],
    })
    const deltas = await deltasOf({ baseUrl: server.url })
    expect(deltas).toMatchObject([
      { type: 'start' },
      { code: 'usage_impossible' },
      { type: 'done', usage: { cost: 'unknown' } },
    ])
  })
})

describe('a failure', () => {
  it.each([
    ['throttlingException', 'Too many tokens, please wait.', 'rate_limit'],
    ['serviceUnavailableException', 'Busy.', 'overloaded'],
    ['internalServerException', 'It broke.', 'overloaded'],
    ['modelStreamErrorException', 'The model broke.', 'overloaded'],
    ['validationException', 'The field is wrong.', 'bad_request'],
    ['validationException', 'Input is too long for requested model.', 'context_overflow'],
    ['aNewException', 'What is this?', 'overloaded'],
  ])('in the middle of a stream, %s (%s), is of kind %s', async (type, message, kind) => {
    const failure = await failedAfter(messageStart, ...textBlock(0, 'a'), exception(type, message))
    expect(failure).toMatchObject({ code: 'provider_error', data: { kind } })
    expect(failure.message).toContain(message)
  })

  it.each([
    [400, 'ValidationException', 'bad_request'],
    [403, 'AccessDeniedException', 'auth'],
    [403, 'UnrecognizedClientException', 'auth'],
    [404, 'ResourceNotFoundException', 'bad_request'],
    [408, 'ModelTimeoutException', 'overloaded'],
    [424, 'ModelErrorException', 'overloaded'],
    [429, 'ThrottlingException', 'rate_limit'],
    [429, 'ModelNotReadyException', 'overloaded'],
    [500, 'InternalServerException', 'overloaded'],
    [503, 'ServiceUnavailableException', 'overloaded'],
  ])('with status %i and %s is of kind %s', async (status, type, kind) => {
    const code = { ...json, 'x-amzn-errortype': `${type}:http://internal.amazon.com/coral/` }
    const failure = await failed({ status, headers: code, body: ['{"message":"Because."}'] })
    expect(failure).toMatchObject({ data: { kind, status, providerCode: type } })
    expect(failure.message).toBe(`maker answered ${status}: Because.`)
  })

  it('has the message under either name', async () => {
    const failure = await failed({ status: 403, headers: json, body: ['{"Message":"Not authorized."}'] })
    expect(failure.message).toBe('maker answered 403: Not authorized.')
  })

  it.each([
    ['a cut frame', [messageStart, textBlock(0, 'a')[0]?.subarray(0, -3) ?? '']],
    ['no end', [messageStart, ...textBlock(0, 'a')]],
    ['nothing', []],
  ])('is an early end after %s', async (_, body) => {
    expect(await failedAfter(...body)).toMatchObject({ data: { kind: 'early_end' } })
  })

  it('is a broken connection for a delta that is missing', async () => {
    const failure = await failedAfter(messageStart, event('contentBlockDelta', { contentBlockIndex: 0 }))
    expect(failure).toMatchObject({ data: { kind: 'network' } })
  })

  it.each(['text/event-stream', 'application/json'])('says that %s is no event stream of Bedrock', async (type) => {
    const failure = await failed({ headers: { 'content-type': type }, body: ['{}'] })
    expect(failure).toMatchObject({ data: { kind: 'bad_request' } })
    expect(failure.message).toContain(type)
  })
})

describe('the usage', () => {
  it('counts tokens of the cache beside the input', () => {
    const reported = { inputTokens: 10, outputTokens: 5, cacheReadInputTokens: 90, cacheWriteInputTokens: 20 }
    const prices = { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 1.25 }
    expect(bedrockUsage(reported, prices)).toMatchObject({
      input: 10,
      output: 5,
      cacheRead: 90,
      cacheWrite: 20,
      totalTokens: 125,
    })
  })

  it.each([[undefined], ['text'], [{}], [{ inputTokens: '3' }]])('is unknown for %j', (value) => {
    expect(bedrockUsage(value, undefined)).toBeUndefined()
  })
})
