// Usage adds up field by field; a sum with an unknown cost in it has an unknown cost.
import type { Usage } from './message.ts'

/** The sum of two usages. */
export function addUsage(left: Usage, right: Usage): Usage {
  const reasoning = (left.reasoning ?? 0) + (right.reasoning ?? 0)
  return {
    input: left.input + right.input,
    output: left.output + right.output,
    cacheRead: left.cacheRead + right.cacheRead,
    cacheWrite: left.cacheWrite + right.cacheWrite,
    ...(reasoning > 0 ? { reasoning } : {}),
    totalTokens: left.totalTokens + right.totalTokens,
    cost: addCost(left.cost, right.cost),
  }
}

function addCost(left: Usage['cost'], right: Usage['cost']): Usage['cost'] {
  if (left === 'unknown' || right === 'unknown') return 'unknown'
  return {
    input: left.input + right.input,
    output: left.output + right.output,
    cacheRead: left.cacheRead + right.cacheRead,
    cacheWrite: left.cacheWrite + right.cacheWrite,
    total: left.total + right.total,
  }
}
