// The usage of the Messages API is cumulative and told in parts: a later number replaces an earlier one, a missing one does not.
import type { Usage } from '../../streams/messages/message.ts'
import type { ModelPrices } from '../../streams/models/model.ts'
import { usageCost } from '../adapter/usage-cost.ts'
import { countOf, recordOf } from '../http/wire-value.ts'

type Told = Readonly<Record<string, unknown>>

/** What was told so far, with another report on top of it. */
export function mergedUsage(told: Told, report: unknown): Told {
  return { ...told, ...Object.fromEntries(Object.entries(recordOf(report)).filter(([, value]) => value !== null)) }
}

/** Input tokens exclude the cached ones, as ours do; output tokens include thinking. Undefined before anything was told. */
export function anthropicMessagesUsage(told: Told, prices: ModelPrices | undefined): Usage | undefined {
  if (typeof told['input_tokens'] !== 'number' && typeof told['output_tokens'] !== 'number') return undefined
  const reasoning = countOf(recordOf(told['output_tokens_details'])['thinking_tokens'])
  const tokens = {
    input: countOf(told['input_tokens']),
    output: countOf(told['output_tokens']),
    cacheRead: countOf(told['cache_read_input_tokens']),
    cacheWrite: countOf(told['cache_creation_input_tokens']),
  }
  return {
    ...tokens,
    ...(reasoning > 0 ? { reasoning } : {}),
    totalTokens: tokens.input + tokens.output + tokens.cacheRead + tokens.cacheWrite,
    cost: usageCost(tokens, prices),
  }
}
