// Runs the recorded exchanges of the Messages API.
import { expect } from 'vitest'
import { anthropicMessages } from '../../../lib/providers/endpoints/apis.ts'
import type { Usage } from '../../../lib/streams/messages/message.ts'
import { callsOf, exchangeSuite } from '../http/exchange-suite.ts'

exchangeSuite({
  folder: 'anthropic-messages',
  model: { id: 'm', provider: 'maker', api: 'anthropic-messages', inputs: ['text'], reasoning: false },
  provider: (options) => anthropicMessages({ provider: 'maker', ...options }),
  stopReason: ({ finish_reason: reason, tool_calls: calls }) =>
    reason === 'max_tokens' || reason === 'model_context_window_exceeded'
      ? 'length'
      : calls.length > 0
        ? 'toolUse'
        : 'stop',
  expectUsage,
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
