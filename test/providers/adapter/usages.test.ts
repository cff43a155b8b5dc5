// Tests how each API's usage becomes ours: no token is lost or counted twice.
// A number of another type counts as zero; an impossible one does not come here.
import { describe, expect, it } from 'vitest'
import { anthropicMessagesUsage, mergeUsage } from '../../../lib/providers/anthropic/anthropic-messages-decoder.ts'
import { googleUsage } from '../../../lib/providers/google/google-decoder.ts'
import { openAiResponsesUsage } from '../../../lib/providers/openai/responses/openai-responses-decoder.ts'

const prices = { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 1.25 }

describe('anthropic-messages', () => {
  it('overrides earlier numbers by later ones, one by one', () => {
    const notices = mergeUsage(mergeUsage({}, { input_tokens: 5, output_tokens: 1 }), {
      output_tokens: 9,
      input_tokens: null,
    })
    expect(anthropicMessagesUsage(notices, prices)).toMatchObject({ input: 5, output: 9, totalTokens: 14 })
  })
  it.each([[{}], [mergeUsage({}, 'text')], [mergeUsage({}, null)]])('returns no usage for %j', (notices) => {
    expect(anthropicMessagesUsage(notices, prices)).toBeUndefined()
  })
})

describe('openai-responses', () => {
  it('subtracts cache reads and cache writes from the input', () => {
    const details = { cached_tokens: 60, cache_write_tokens: 30 }
    const reported = { input_tokens: 100, input_tokens_details: details, output_tokens: 7, total_tokens: 107 }
    expect(openAiResponsesUsage(reported, prices)).toMatchObject({
      input: 10,
      cacheRead: 60,
      cacheWrite: 30,
      totalTokens: 107,
    })
  })
  it('ignores details that exceed their total', () => {
    const reported = { input_tokens: 10, input_tokens_details: { cached_tokens: 99 }, output_tokens: 0 }
    expect(openAiResponsesUsage(reported, prices)).toMatchObject({ input: 0, cacheRead: 10, cacheWrite: 0 })
  })
})

describe('google', () => {
  it('counts thinking as output and tool-use prompts as input', () => {
    const reported = {
      promptTokenCount: 10,
      toolUsePromptTokenCount: 5,
      candidatesTokenCount: 3,
      thoughtsTokenCount: 4,
    }
    expect(googleUsage(reported, prices)).toMatchObject({ input: 15, output: 7, reasoning: 4, totalTokens: 22 })
  })
})

it.each([[undefined], [null], ['text'], [{}], [{ input_tokens: 'many', promptTokenCount: '3' }]])(
  'returns no usage for %j',
  (value) => {
    expect(openAiResponsesUsage(value, prices)).toBeUndefined()
    expect(googleUsage(value, prices)).toBeUndefined()
  },
)
