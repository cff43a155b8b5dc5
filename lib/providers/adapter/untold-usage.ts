// Of an endpoint that does not say what it used nothing is known, so nothing is called free — unless everything is.
import { noUsage } from '../../streams/messages/message.ts'
import type { Usage } from '../../streams/messages/message.ts'
import type { Model } from '../../streams/models/model.ts'

/** No tokens; the cost is `unknown` unless the model is free of charge. */
export function untoldUsage({ prices }: Pick<Model, 'prices'>): Usage {
  const all = prices === undefined ? [] : [prices, ...(prices.tiers ?? [])]
  const isFree = all.length > 0 && all.every(({ input, output }) => input === 0 && output === 0)
  return isFree ? noUsage : { ...noUsage, cost: 'unknown' }
}
