// Of an endpoint that does not say what it used nothing is known, so nothing is called free — unless everything is.
import { noUsage } from '../streams/message.ts'
import type { Usage } from '../streams/message.ts'
import type { Model } from '../streams/model.ts'

/** No tokens; the cost is `unknown` unless the model is free of charge. */
export function untoldUsage({ prices }: Pick<Model, 'prices'>): Usage {
  return prices?.input === 0 && prices.output === 0 ? noUsage : { ...noUsage, cost: 'unknown' }
}
