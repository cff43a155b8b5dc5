// The model that answers where there is no other; it says what it is before it says anything else.
import type { Model } from '../../streams/models/model.ts'

/** How to get a real model, in one sentence. */
export const realModelHint =
  'For a real model store a key (rxpi auth set <provider>, or /login in the terminal UI), set OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY, or name one that runs here, for instance --model ollama/<id> (Ollama), lmstudio/<id>, vllm/<id> or llamacpp/<id>.'

export const demoModel: Model = {
  id: 'guide',
  provider: 'demo',
  api: 'demo',
  name: 'Guide (demo)',
  inputs: ['text'],
  reasoning: false,
  prices: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  notice: `demo/guide is not a language model: it follows a few fixed rules and drives the real tools with them. ${realModelHint}`,
}
