// Converts the usage report of a chat completion.
import type { Usage } from '../../../streams/messages/message.ts'
import type { ModelPrices } from '../../../streams/models/model.ts'
import { tokenCount as count, isObject as isRecord, recordOf as record } from '../../http/json-field.ts'
import { usageCost } from '../../../streams/models/price-usage.ts'
import type { UsageFormat } from '../../adapter/usage-cost.ts'

/**
 * Converts the reported usage. Prompt tokens include the cached ones, rxpi's do not. Completion tokens usually include
 * reasoning; they are added if the total shows that they do not. Undefined if the value is not a usage.
 */
export function openAiCompletionsUsage(reported: unknown, prices: ModelPrices | undefined): Usage | undefined {
  if (!isRecord(reported) || typeof reported['prompt_tokens'] !== 'number') return undefined
  const prompt = count(reported['prompt_tokens'])
  const completion = count(reported['completion_tokens'])
  const promptDetails = record(reported['prompt_tokens_details'])
  const reasoning = count(record(reported['completion_tokens_details'])['reasoning_tokens'])
  const reportedTotal = count(reported['total_tokens'])
  const isBeside = reasoning > 0 && reportedTotal === prompt + completion + reasoning
  const cacheRead = Math.min(prompt, cachedTokens(reported, promptDetails))
  const cacheWrite = Math.min(prompt - cacheRead, count(promptDetails['cache_write_tokens']))
  const tokens = {
    input: prompt - cacheRead - cacheWrite,
    output: isBeside ? completion + reasoning : completion,
    cacheRead,
    cacheWrite,
  }
  return {
    ...tokens,
    ...(reasoning > 0 ? { reasoning } : {}),
    totalTokens: prompt + tokens.output,
    cost: usageCost(tokens, prices),
  }
}

/** The fields of OpenAI and most others, of DeepSeek, and of Moonshot. */
function cachedTokens(
  reported: Readonly<Record<string, unknown>>,
  promptDetails: Readonly<Record<string, unknown>>,
): number {
  return (
    count(promptDetails['cached_tokens']) ||
    count(reported['prompt_cache_hit_tokens']) ||
    count(reported['cached_tokens'])
  )
}

export const openAiCompletionsUsageFormat: UsageFormat = {
  counts: [
    'prompt_tokens',
    'completion_tokens',
    'total_tokens',
    'prompt_tokens_details.cached_tokens',
    'prompt_tokens_details.cache_write_tokens',
    'completion_tokens_details.reasoning_tokens',
    'prompt_cache_hit_tokens',
    'cached_tokens',
  ],
  convert: openAiCompletionsUsage,
}
