// The descriptor that goes with a scripted provider: free of charge, and never taken for a language model.
import type { Model } from '../../streams/models/model.ts'

/** `scripted/scripted`: takes text and images, thinks, costs nothing. */
export const scriptedModel: Model = {
  id: 'scripted',
  provider: 'scripted',
  api: 'scripted',
  contextWindow: 200_000,
  maxOutput: 32_000,
  inputs: ['text', 'image'],
  reasoning: true,
  prices: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
}
