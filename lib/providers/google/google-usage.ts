// The usage of Google's API in our terms: thinking and what tools brought in are counted beside the rest there.
import type { Usage } from '../../streams/messages/message.ts'
import type { ModelPrices } from '../../streams/models/model.ts'
import { usageCost } from '../adapter/usage-cost.ts'
import { countOf, isObject } from '../http/wire-value.ts'

/** Prompt tokens include the cached ones, ours do not. Undefined where the value is no usage. */
export function googleUsage(reported: unknown, prices: ModelPrices | undefined): Usage | undefined {
  if (!isObject(reported) || typeof reported['promptTokenCount'] !== 'number') return undefined
  const prompt = countOf(reported['promptTokenCount'])
  const cacheRead = Math.min(prompt, countOf(reported['cachedContentTokenCount']))
  const reasoning = countOf(reported['thoughtsTokenCount'])
  const tokens = {
    input: prompt - cacheRead + countOf(reported['toolUsePromptTokenCount']),
    output: countOf(reported['candidatesTokenCount']) + reasoning,
    cacheRead,
    cacheWrite: 0,
  }
  return {
    ...tokens,
    ...(reasoning > 0 ? { reasoning } : {}),
    totalTokens: tokens.input + tokens.cacheRead + tokens.output,
    cost: usageCost(tokens, prices),
  }
}
