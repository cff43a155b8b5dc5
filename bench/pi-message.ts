// The initial answer of pi's providers: one object that they mutate and push with every event.
const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 }
const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost }
const made = { api: 'bench', provider: 'bench', model: 'bench' }

/** The model of pi's agent. */
export const piModel = {
  ...made,
  id: made.model,
  name: made.model,
  baseUrl: '',
  reasoning: false,
  input: ['text'],
  cost,
  contextWindow: 1_000_000,
  maxTokens: 1_000_000,
}

export interface PiMessage<Block> {
  readonly content: Block[]
  readonly stopReason: 'stop' | 'toolUse'
}

export function newPiMessage<Block>(stopReason: PiMessage<Block>['stopReason']): PiMessage<Block> {
  const content: Block[] = []
  const message = { role: 'assistant', content, ...made, usage, stopReason, timestamp: Date.now() }
  return message
}
