// Runs the recorded exchanges of the Responses API.
import { expect } from 'vitest'
import { openAiResponses } from '../../../../lib/providers/endpoints/apis.ts'
import type { Usage } from '../../../../lib/streams/messages/message.ts'
import { callsOf, exchangeSuite } from '../../http/exchange-suite.ts'

exchangeSuite({
  folder: 'openai-responses',
  model: { id: 'm', provider: 'maker', api: 'openai-responses', inputs: ['text'], reasoning: false },
  provider: (options) => openAiResponses({ provider: 'maker', ...options }),
  stopReason: ({ finish_reason: reason, tool_calls: calls }) =>
    reason === 'incomplete' ? 'length' : calls.length > 0 ? 'toolUse' : 'stop',
  expectUsage,
  calls: (message, reference) => {
    expect(callsOf(message)).toEqual(reference.tool_calls.map(asCall))
  },
})

/** The reference also has the item's id; for a call with free text it has the input in place of arguments. */
function asCall(call: {
  readonly id: string | null
  readonly name: string
  readonly arguments: unknown
  readonly input?: string
}) {
  const { id, name } = call
  return { id, name, arguments: call.input === undefined ? call.arguments : { input: call.input } }
}

function expectUsage(usage: Usage, reported: Readonly<Record<string, unknown>>): void {
  const details = (name: string): Record<string, number> => (reported[name] ?? {}) as Record<string, number>
  expect(usage.input + usage.cacheRead + usage.cacheWrite).toBe(reported['input_tokens'])
  expect(usage.cacheRead).toBe(details('input_tokens_details')['cached_tokens'] ?? 0)
  expect(usage.output).toBe(reported['output_tokens'])
  expect(usage.reasoning ?? 0).toBe(details('output_tokens_details')['reasoning_tokens'] ?? 0)
  expect(usage.totalTokens).toBe(Number(reported['input_tokens']) + Number(reported['output_tokens']))
}
