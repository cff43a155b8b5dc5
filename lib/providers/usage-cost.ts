// What tokens cost follows from the model's prices alone; where a price is not known, the cost is said to be unknown.
import type { Usage } from '../streams/message.ts'
import type { ModelPrices } from '../streams/model.ts'

/** Tokens by kind; `input` excludes the cached ones, `output` includes reasoning. */
export type TokenCounts = Pick<Usage, 'input' | 'output' | 'cacheRead' | 'cacheWrite'>

const million = 1_000_000

/**
 * USD by kind, or `unknown` without prices. A missing price for reading the cache is the input price (never too low);
 * for writing it there is no such bound, so that a cost with cache writes is then `unknown`.
 */
export function usageCost(tokens: TokenCounts, prices: ModelPrices | undefined): Usage['cost'] {
  if (prices === undefined) return 'unknown'
  if (tokens.cacheWrite > 0 && prices.cacheWrite === undefined) return 'unknown'
  const input = (tokens.input * prices.input) / million
  const output = (tokens.output * prices.output) / million
  const cacheRead = (tokens.cacheRead * (prices.cacheRead ?? prices.input)) / million
  const cacheWrite = (tokens.cacheWrite * (prices.cacheWrite ?? 0)) / million
  return { input, output, cacheRead, cacheWrite, total: input + output + cacheRead + cacheWrite }
}
