// Tests how the chunks of a chat completion become deltas.
import { describe, expect, it } from 'vitest'
import { openAiCompletions } from '../../../../lib/providers/endpoints/apis.ts'
import type { AssistantDelta } from '../../../../lib/streams/messages/delta.ts'
import { rawSseServer } from '../../../support/raw-sse-server.ts'
import { aRequest } from '../../offline/a-request.ts'
import { callChunk, chunk, done, ending, finishChunk, frame, textChunk, usageChunk } from '../openai-chunks.ts'
import { model, deltasOf, answered, failed } from './openai-completions-scene.ts'

describe('an answer', () => {
  it('emits its id and the served model before its first block', async () => {
    await using server = await rawSseServer({ body: [textChunk('a'), ending()] })
    const deltas = await deltasOf({ baseUrl: server.url })
    expect(deltas[0]).toEqual({ type: 'start', responseId: 'chatcmpl-1', model: 'served' })
  })

  it('takes thinking only from the fields in the compat options', async () => {
    const body = [chunk({ thoughts: 'Hm.', reasoning: 'No.' }), textChunk('a'), ending()]
    await using server = await rawSseServer({ body })
    const compat = { reasoningFields: ['thoughts'] }
    const deltas = await deltasOf({ baseUrl: server.url, compat })
    const thought = deltas.flatMap((delta) => (delta.type === 'thinking_delta' ? [delta.text] : []))
    expect(thought).toEqual(['Hm.'])
    expect(deltas.find(({ type }) => type === 'thinking_end')).toMatchObject({ signature: 'thoughts' })
  })

  it('converts a refusal to text', async () => {
    const { content } = await answered({ body: [chunk({ refusal: 'I will not.' }), ending()] })
    expect(content).toEqual([{ type: 'text', text: 'I will not.' }])
  })

  it('that is not streamed is read as a whole', async () => {
    const message = {
      role: 'assistant',
      content: 'All at once.',
      tool_calls: [{ id: 'c', function: { name: 'n', arguments: '{}' } }],
    }
    const choices = [{ index: 0, message, finish_reason: 'tool_calls' }]
    const body = JSON.stringify(
      { id: 'x', object: 'chat.completion', choices, usage: { prompt_tokens: 1, completion_tokens: 2 } },
      null,
      2,
    )
    const { content, usage, stopReason } = await answered({
      headers: { 'content-type': 'application/json' },
      body: [body],
    })
    expect(content).toMatchObject([{ text: 'All at once.' }, { type: 'toolCall', name: 'n' }])
    expect({ totalTokens: usage.totalTokens, stopReason }).toEqual({ totalTokens: 3, stopReason: 'toolUse' })
  })

  it('without a finish reason is complete with [DONE]', async () => {
    const { content, stopReason } = await answered({ body: [textChunk('a'), done] })
    expect({ content, stopReason }).toEqual({ content: [{ type: 'text', text: 'a' }], stopReason: 'stop' })
  })

  it('with calls has the stop reason toolUse unless the output limit cut it', async () => {
    const call = callChunk(0, '{}', { id: 'c', name: 'n' })
    expect((await answered({ body: [call, ending('stop')] })).stopReason).toBe('toolUse')
    expect((await answered({ body: [call, ending('length')] })).stopReason).toBe('length')
  })

  it('is complete if the connection breaks after its last event', async () => {
    const { content } = await answered({ body: [textChunk('a'), finishChunk('stop'), usageChunk()], ending: 'reset' })
    expect(content).toEqual([{ type: 'text', text: 'a' }])
  })

  it('is complete without its last blank line', async () => {
    const { usage } = await answered({ body: [textChunk('a'), finishChunk('stop'), usageChunk(3, 4).trimEnd()] })
    expect(usage.totalTokens).toBe(7)
  })

  it('without usage has an unknown cost unless the prices are 0', async () => {
    const body = [textChunk('a'), finishChunk('stop'), done]
    expect((await answered({ body })).usage.cost).toBe('unknown')
    const free = { ...model, prices: { input: 0, output: 0 } }
    expect((await answered({ body }, { model: free })).usage.cost).toMatchObject({ total: 0 })
  })
})

describe('an answer that fails', () => {
  it('in an error frame has its message', async () => {
    const error = { message: 'The model is overloaded', type: 'server_error', code: 'server_error' }
    const failure = await failed({ body: [textChunk('a'), frame({ error })] })
    expect(failure).toMatchObject({
      message: 'maker: The model is overloaded',
      data: { kind: 'overloaded', providerCode: 'server_error' },
    })
  })

  it('in the middle has the usage so far', async () => {
    await using server = await rawSseServer({ body: [textChunk('a'), usageChunk(8, 9)] })
    const deltas: AssistantDelta[] = []
    const ended = new Promise((resolve) => {
      openAiCompletions({ provider: 'maker', baseUrl: server.url })(aRequest({ model })).subscribe({
        next: (delta) => deltas.push(delta),
        error: resolve,
        complete: () => {
          resolve('complete')
        },
      })
    })
    expect(await ended).toMatchObject({ data: { kind: 'early_end' } })
    expect(deltas.at(-1)).toMatchObject({ type: 'usage', usage: { totalTokens: 17 } })
  })

  it.each([
    ['content_filter', 'refused'],
    ['error', 'overloaded'],
  ])('with finish reason %s has the kind %s', async (reason, kind) => {
    expect((await failed({ body: [textChunk('a'), ending(reason)] })).data).toMatchObject({
      kind,
      providerCode: reason,
    })
  })

  it.each([
    ['a JSON document that is no completion', '{"status":"ok"}', 'bad_request'],
    ['a JSON error with status 200', '{"error":{"message":"no","type":"invalid_request_error"}}', 'bad_request'],
    ['JSON that is cut', '{"choices":[', 'bad_request'],
  ])('because it is %s has the kind %s', async (_, body, kind) => {
    const failure = await failed({ headers: { 'content-type': 'application/json' }, body: [body] })
    expect(failure.data.kind).toBe(kind)
  })

  it('because its last frame is incomplete has the kind early_end', async () => {
    expect((await failed({ body: [textChunk('a'), 'data: {"choi'] })).data.kind).toBe('early_end')
  })

  it('because it is empty has the kind early_end', async () => {
    expect((await failed({})).data.kind).toBe('early_end')
  })
})

it('ignores the choices beside the first, in one chunk or in chunks of their own [ANSWER-choice]', async () => {
  const choice = (index: number, content: string, more: object = {}) => ({ index, delta: { content }, ...more })
  const call = { tool_calls: [{ index: 0, id: 'c', function: { name: 'bash', arguments: '{}' } }] }
  const { content, stopReason } = await answered({
    body: [
      frame({ id: 'x', choices: [choice(1, 'no'), choice(0, 'a')] }),
      frame({ id: 'x', choices: [{ index: 1, delta: call, finish_reason: 'tool_calls' }] }),
      frame({ id: 'x', choices: [choice(1, 'no', { finish_reason: 'content_filter' })] }),
      frame({ id: 'x', choices: [{ delta: { content: 'b' } }] }),
      ending(),
    ],
  })
  expect({ content, stopReason }).toEqual({ content: [{ type: 'text', text: 'ab' }], stopReason: 'stop' })
})
