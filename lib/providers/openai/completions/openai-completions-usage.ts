// The usage that chat completion endpoints report, in our terms: nothing is counted twice and nothing is left out.
import type { Usage } from '../../../streams/messages/message.ts'
import type { ModelPrices } from '../../../streams/models/model.ts'
import { usageCost } from '../../adapter/usage-cost.ts'
import { countOf as count, isObject as isRecord, recordOf as record } from '../../http/wire-value.ts'

/**
 * Prompt tokens include the cached ones, ours do not. Completion tokens include reasoning at most providers; where the
 * total shows that they do not, they are added. Undefined where the value is no usage.
 */
export function openAiCompletionsUsage(reported: unknown, prices: ModelPrices | undefined): Usage | undefined {
  if (!isRecord(reported) || typeof reported['prompt_tokens'] !== 'number') return undefined
  const prompt = count(reported['prompt_tokens'])
  const completion = count(reported['completion_tokens'])
  const promptDetails = record(reported['prompt_tokens_details'])
  const reasoning = count(record(reported['completion_tokens_details'])['reasoning_tokens'])
  const told = count(reported['total_tokens'])
  const isBeside = reasoning > 0 && told === prompt + completion + reasoning
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

/** Where endpoints put it: OpenAI and most others; DeepSeek; Moonshot. */
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
