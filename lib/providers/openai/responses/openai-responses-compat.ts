// How models and endpoints that speak `openai-responses` differ is data (`lib/streams`), never a question after their name.
import type { OpenAiResponsesCompat } from '../../../streams/models/api-compat.ts'

export type { OpenAiResponsesCompat }

/** What OpenAI takes. */
export const defaultResponsesCompat: OpenAiResponsesCompat = {
  effort: { minimal: 'low', low: 'low', medium: 'medium', high: 'high', xhigh: 'high' },
  summary: true,
  encryptedReasoning: true,
  promptCacheKey: true,
  azure: false,
}
