// The usage of the Responses API in our terms: nothing is counted twice and nothing is left out.
import type { Usage } from '../../../streams/messages/message.ts'
import type { ModelPrices } from '../../../streams/models/model.ts'
import { usageCost } from '../../adapter/usage-cost.ts'
import { countOf, isObject, recordOf } from '../../http/wire-value.ts'

/** Input tokens include the cached ones, ours do not; output tokens include reasoning. Undefined where the value is no usage. */
export function openAiResponsesUsage(reported: unknown, prices: ModelPrices | undefined): Usage | undefined {
  if (!isObject(reported) || typeof reported['input_tokens'] !== 'number') return undefined
  const details = recordOf(reported['input_tokens_details'])
  const reasoning = countOf(recordOf(reported['output_tokens_details'])['reasoning_tokens'])
  const input = countOf(reported['input_tokens'])
  const cacheRead = Math.min(input, countOf(details['cached_tokens']))
  const cacheWrite = Math.min(input - cacheRead, countOf(details['cache_write_tokens']))
  const output = countOf(reported['output_tokens'])
  const tokens = { input: input - cacheRead - cacheWrite, output, cacheRead, cacheWrite }
  return {
    ...tokens,
    ...(reasoning > 0 ? { reasoning } : {}),
    totalTokens: input + output,
    cost: usageCost(tokens, prices),
  }
}
