// Tests the usage and cost of a chat completion.
import { expect, it } from 'vitest'
import { openAiCompletionsUsage } from '../../../../lib/providers/openai/completions/openai-completions-usage.ts'

const prices = { input: 1, output: 10, cacheRead: 0.1 }

it.each([
  ['plain', { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }, { input: 10, output: 5, totalTokens: 15 }],
  [
    'cached and reasoning inside',
    {
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 15,
      prompt_tokens_details: { cached_tokens: 8 },
      completion_tokens_details: { reasoning_tokens: 3 },
    },
    { input: 2, cacheRead: 8, output: 5, reasoning: 3, totalTokens: 15 },
  ],
  [
    'reasoning beside the completion',
    {
      prompt_tokens: 12,
      completion_tokens: 2,
      total_tokens: 354,
      completion_tokens_details: { reasoning_tokens: 340 },
    },
    { input: 12, output: 342, reasoning: 340, totalTokens: 354 },
  ],
  [
    'written to the cache',
    {
      prompt_tokens: 10,
      completion_tokens: 1,
      total_tokens: 11,
      prompt_tokens_details: { cached_tokens: 2, cache_write_tokens: 3 },
    },
    { input: 5, cacheRead: 2, cacheWrite: 3, output: 1, totalTokens: 11, cost: 'unknown' },
  ],
  [
    'cached, the way of DeepSeek',
    { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11, prompt_cache_hit_tokens: 4 },
    { input: 6, cacheRead: 4 },
  ],
  [
    'cached, the way of Moonshot',
    { prompt_tokens: 10, completion_tokens: 1, cached_tokens: 4 },
    { input: 6, cacheRead: 4 },
  ],
  [
    'nonsense in details',
    { prompt_tokens: 3, completion_tokens: -1, prompt_tokens_details: { cached_tokens: 9 } },
    { input: 0, cacheRead: 3, output: 0 },
  ],
])('reads usage that is %s', (_, reported, expected) => {
  expect(openAiCompletionsUsage(reported, prices)).toMatchObject(expected)
})

it.each([[null], [undefined], ['x'], [{}], [{ prompt_tokens: '3' }]])('returns no usage for %j', (reported) => {
  expect(openAiCompletionsUsage(reported, prices)).toBeUndefined()
})

it('computes the cost from the prices', () => {
  const usage = openAiCompletionsUsage(
    { prompt_tokens: 2_000_000, completion_tokens: 1_000_000, prompt_tokens_details: { cached_tokens: 1_000_000 } },
    prices,
  )
  expect(usage?.cost).toEqual({ input: 1, output: 10, cacheRead: 0.1, cacheWrite: 0, total: 11.1 })
})
