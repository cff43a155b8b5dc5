// Runs the recorded exchanges of chat completions.
import { expect } from 'vitest'
import { openAiCompletions } from '../../../../lib/providers/endpoints/apis.ts'
import type { Usage } from '../../../../lib/streams/messages/message.ts'
import { exchangeSuite } from '../../http/exchange-suite.ts'

exchangeSuite({
  folder: 'openai-chat',
  model: { id: 'm', provider: 'maker', api: 'openai-completions', inputs: ['text'], reasoning: false },
  provider: (options) => openAiCompletions({ provider: 'maker', ...options }),
  // the reference keeps the provider's finish reason; calls take precedence over it
  stopReason: ({ finish_reason: reason, tool_calls: calls }) =>
    reason === 'length' ? 'length' : calls.length > 0 ? 'toolUse' : 'stop',
  expectUsage,
})

/** Checks that the provider's whole usage is counted once. */
function expectUsage(usage: Usage, reported: Readonly<Record<string, unknown>>): void {
  const details = (reported['completion_tokens_details'] ?? {}) as Record<string, number>
  const reasoning = details['reasoning_tokens'] ?? 0
  const completion = Number(reported['completion_tokens'])
  expect(usage.input + usage.cacheRead + usage.cacheWrite).toBe(reported['prompt_tokens'])
  expect([completion, completion + reasoning]).toContain(usage.output)
  expect(usage.totalTokens).toBe(reported['total_tokens'])
  expect(usage.reasoning ?? 0).toBe(reasoning)
}
