// Runs the exchanges that are written from the examples of Mistral's API reference.
import { expect } from 'vitest'
import { mistralConversations } from '../../../lib/providers/endpoints/apis.ts'
import type { Usage } from '../../../lib/streams/messages/message.ts'
import { exchangeSuite } from '../http/exchange-suite.ts'

exchangeSuite({
  folder: 'mistral-conversations',
  isRecorded: false,
  model: { id: 'm', provider: 'maker', api: 'mistral-conversations', inputs: ['text'], reasoning: true },
  provider: (options) => mistralConversations({ provider: 'maker', ...options }),
  stopReason: ({ finish_reason: reason, tool_calls: calls }) =>
    reason === 'length' || reason === 'model_length' ? 'length' : calls.length > 0 ? 'toolUse' : 'stop',
  expectUsage,
})

function expectUsage(usage: Usage, reported: Readonly<Record<string, unknown>>): void {
  const cached = reported['num_cached_tokens'] ?? 0
  expect([usage.input + usage.cacheRead, usage.cacheRead]).toEqual([reported['prompt_tokens'], cached])
  expect([usage.output, usage.totalTokens]).toEqual([reported['completion_tokens'], reported['total_tokens']])
}
