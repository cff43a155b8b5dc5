// Prices the tokens of an answer by the prices of its model.
import type { Usage } from '../messages/message.ts'
import type { ModelPrices } from './model.ts'

/** Tokens by kind; `input` excludes the cached ones, `output` includes reasoning. */
export type TokenCounts = Pick<Usage, 'input' | 'output' | 'cacheRead' | 'cacheWrite'>

/** The `code` of the warning about a count that no response can have: its usage stays unknown. */
export const impossibleUsageCode = 'usage_impossible'

const million = 1_000_000

/**
 * Returns USD by kind, or `unknown` without prices. If a request is longer than a tier's bound, the tier's prices apply
 * to all of it. A missing price of cache reads is the input price, so the cost is never too low. Cache writes without a
 * price make the cost `unknown`.
 */
export function usageCost(tokens: TokenCounts, prices: ModelPrices | undefined): Usage['cost'] {
  if (prices === undefined) return 'unknown'
  const per = pricesFor(tokens.input + tokens.cacheRead + tokens.cacheWrite, prices)
  if (tokens.cacheWrite > 0 && per.cacheWrite === undefined) return 'unknown'
  const input = (tokens.input * per.input) / million
  const output = (tokens.output * per.output) / million
  const cacheRead = (tokens.cacheRead * (per.cacheRead ?? per.input)) / million
  const cacheWrite = (tokens.cacheWrite * (per.cacheWrite ?? 0)) / million
  return { input, output, cacheRead, cacheWrite, total: input + output + cacheRead + cacheWrite }
}

/** Returns the prices of the highest tier that the request reaches. The tiers of models.json have no order. */
function pricesFor(inputTokens: number, { tiers = [], ...base }: ModelPrices): Omit<ModelPrices, 'tiers'> {
  return tiers
    .filter(({ inputTokensAbove }) => inputTokens > inputTokensAbove)
    .reduce((best, tier) => (tier.inputTokensAbove > best.inputTokensAbove ? tier : best), {
      ...base,
      inputTokensAbove: -1,
    })
}

/**
 * The usage with the cost of its tokens, if its provider reported tokens alone: a cost of zero or `unknown`. Without
 * prices the cost of tokens is unknown. A cost that the provider computed stays.
 */
export function pricedUsage(usage: Usage, prices: ModelPrices | undefined): Usage {
  if (usage.cost !== 'unknown' && usage.cost.total !== 0) return usage
  if (usage.input + usage.output + usage.cacheRead + usage.cacheWrite === 0) return usage
  return { ...usage, cost: usageCost(usage, prices) }
}

/**
 * The usage of an answer for a provider that counts tokens: the session prices them. `input` excludes cache reads and
 * writes, `output` includes reasoning.
 */
export function tokenUsage({
  input,
  output,
  cacheRead = 0,
  cacheWrite = 0,
  reasoning,
}: Pick<TokenCounts, 'input' | 'output'> & Partial<Pick<Usage, 'cacheRead' | 'cacheWrite' | 'reasoning'>>): Usage {
  const counts = { input, output, cacheRead, cacheWrite, ...(reasoning === undefined ? {} : { reasoning }) }
  return { ...counts, totalTokens: input + output + cacheRead + cacheWrite, cost: 'unknown' }
}
