// Formats the cost of a usage in dollars.
import type { Usage } from '../../../lib/streams/messages/message.ts'

/** `$0.03` or `< $0.01`; undefined if it is unknown or zero. */
export function formatCost(cost: Usage['cost']): string | undefined {
  if (cost === 'unknown' || cost.total === 0) return undefined
  return cost.total < 0.01 ? '< $0.01' : `$${cost.total.toFixed(2)}`
}
