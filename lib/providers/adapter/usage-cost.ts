// Computes the cost of tokens from a model's prices.
import type { Usage } from '../../streams/messages/message.ts'
import type { ModelPrices, Model } from '../../streams/models/model.ts'
import { noUsage } from '../../streams/messages/message.ts'

/** Tokens by kind; `input` excludes the cached ones, `output` includes reasoning. */
export type TokenCounts = Pick<Usage, 'input' | 'output' | 'cacheRead' | 'cacheWrite'>

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

/** The usage of an endpoint that reports none: no tokens, and cost `unknown` unless the model is free of charge. */
export function unknownUsage({ prices }: Pick<Model, 'prices'>): Usage {
  const all = prices === undefined ? [] : [prices, ...(prices.tiers ?? [])]
  const isFree = all.length > 0 && all.every(({ input, output }) => input === 0 && output === 0)
  return isFree ? noUsage : { ...noUsage, cost: 'unknown' }
}
