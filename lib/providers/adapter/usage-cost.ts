// What tokens cost follows from the model's prices alone; where a price is not known, the cost is said to be unknown.
import type { Usage } from '../../streams/messages/message.ts'
import type { ModelPrices, Model } from '../../streams/models/model.ts'
import { noUsage } from '../../streams/messages/message.ts'

/** Tokens by kind; `input` excludes the cached ones, `output` includes reasoning. */
export type TokenCounts = Pick<Usage, 'input' | 'output' | 'cacheRead' | 'cacheWrite'>

const million = 1_000_000

/**
 * USD by kind, or `unknown` without prices. A request that is longer than a tier's bound costs as that tier says, all of it.
 * A missing price for reading the cache is the input price (never too low); for writing it there is no such bound, so that a
 * cost with cache writes is then `unknown`.
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

/** Of the tiers that the request is in, the one with the highest bound; those of models.json may stand in any order. */
function pricesFor(inputTokens: number, { tiers = [], ...base }: ModelPrices): Omit<ModelPrices, 'tiers'> {
  return tiers
    .filter(({ inputTokensAbove }) => inputTokens > inputTokensAbove)
    .reduce((best, tier) => (tier.inputTokensAbove > best.inputTokensAbove ? tier : best), {
      ...base,
      inputTokensAbove: -1,
    })
}

// Of an endpoint that does not say what it used nothing is known, so nothing is called free — unless everything is.

/** No tokens; the cost is `unknown` unless the model is free of charge. */
export function unknownUsage({ prices }: Pick<Model, 'prices'>): Usage {
  const all = prices === undefined ? [] : [prices, ...(prices.tiers ?? [])]
  const isFree = all.length > 0 && all.every(({ input, output }) => input === 0 && output === 0)
  return isFree ? noUsage : { ...noUsage, cost: 'unknown' }
}
