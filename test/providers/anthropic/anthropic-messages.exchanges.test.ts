// Runs the recorded exchanges of the Messages API.
import { lastValueFrom, toArray } from 'rxjs'
import { expect, it } from 'vitest'
import { anthropicMessages } from '../../../lib/providers/endpoints/apis.ts'
import type { Usage } from '../../../lib/streams/messages/message.ts'
import type { Model } from '../../../lib/streams/models/model.ts'
import { rawSseServer } from '../../support/raw-sse-server.ts'
import { callsOf, exchangeSuite } from '../http/exchange-suite.ts'
import { recordedExchanges } from '../http/recorded-exchange.ts'
import type { Reference } from '../http/recorded-exchange.ts'
import { aRequest } from '../offline/a-request.ts'
import { foldDeltas } from '../offline/fold-deltas.ts'
import { event, messageStart } from './anthropic-events.ts'

const model: Model = { id: 'm', provider: 'maker', api: 'anthropic-messages', inputs: ['text'], reasoning: false }

exchangeSuite({
  folder: 'anthropic-messages',
  model,
  provider: (options) => anthropicMessages({ provider: 'maker', ...options }),
  stopReason: ({ finish_reason: reason, tool_calls: calls }) =>
    reason === 'max_tokens' || reason === 'model_context_window_exceeded'
      ? 'length'
      : calls.length > 0
        ? 'toolUse'
        : 'stop',
  expectUsage,
  // the reference of a paused answer is that of its first part: the second one adds nothing
  continuation: (body) =>
    isResumption(body) ? [messageStart({ input_tokens: 0, output_tokens: 0 }), ...emptyEnd].join('') : undefined,
  // a refusal is a failure of its own kind, with the provider's code
  failure: ({ reference }) =>
    reference.finish_reason === 'refusal' ? { data: { kind: 'refused', providerCode: 'refusal' } } : undefined,
  calls: (message, reference, id) => {
    const calls = callsOf(message)
    if (id !== 'vercel_anthropic_spliced_message_start') expect(calls).toEqual(reference.tool_calls)
    else {
      // emitted content is not withdrawn: the interrupted call stays, with arguments that no tool receives
      expect(calls.slice(1)).toEqual(reference.tool_calls)
      expect(message.content).toContainEqual(
        expect.objectContaining({ id: 'toolu_first', arguments: {}, argumentsText: '{"value":"Spark' }),
      )
    }
  },
})

const emptyEnd = [
  event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 0 } }),
  event({ type: 'message_stop' }),
]

function isResumption(body: unknown): boolean {
  return (body as { messages: readonly { role: string }[] }).messages.at(-1)?.role === 'assistant'
}

const recordings = recordedExchanges('anthropic-messages').recorded
const parts = recordings.filter(({ id }) => id.startsWith('pyd_pause_turn_web_search_streaming_vcr'))

it.skipIf(parts.length === 0)(
  'makes a recorded pause and its recorded continuation one answer [ANSWER-pause]',
  async () => {
    const wires = parts.map(({ response }) => response.body_chunks.join(''))
    await using server = await rawSseServer((_, number) => ({ body: [wires[number] ?? ''] }))
    const provider = anthropicMessages({ provider: 'maker', baseUrl: server.url })
    const request = aRequest({ model, messages: [{ role: 'user', content: 'Search.', timestamp: 0 }] })
    const message = foldDeltas(await lastValueFrom(provider(request).pipe(toArray()), { defaultValue: [] }))
    const [first, second] = parts.map(({ reference }) => reference as Reference)
    const text = message.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
    expect(text).toBe(`${first?.text}${second?.text}`)
    expect(message).toMatchObject({ stopReason: 'stop', usage: { input: 404_500 + 482_529, output: 943 + 1310 } })
    expect(server.requests).toHaveLength(2)
  },
)

function expectUsage(usage: Usage, reported: Readonly<Record<string, unknown>>): void {
  const count = (name: string): number => Number(reported[name] ?? 0)
  expect(usage).toMatchObject({
    input: count('input_tokens'),
    output: count('output_tokens'),
    cacheRead: count('cache_read_input_tokens'),
    cacheWrite: count('cache_creation_input_tokens'),
  })
  const details = (reported['output_tokens_details'] ?? {}) as Record<string, number>
  expect(usage.reasoning ?? 0).toBe(details['thinking_tokens'] ?? 0)
}
