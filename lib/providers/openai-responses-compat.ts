// How models and endpoints that speak `openai-responses` differ is data, never a question after their name.
import type { ThinkingLevel } from '../streams/thinking-level.ts'

export interface OpenAiResponsesCompat {
  /** Effort by thinking level, for models that reason; a level without a word sends none. */
  readonly effort: Partial<Readonly<Record<ThinkingLevel, string>>>
  /** Asks models that reason for a summary of it. @default true */
  readonly summary: boolean
  /** Asks models that reason for their reasoning in encrypted form, and gives it back to them. @default true */
  readonly encryptedReasoning: boolean
  /** Sends the session's id as `prompt_cache_key`. @default true */
  readonly promptCacheKey: boolean
  /** The endpoint is asked through the SDK's client for Azure: header `api-key`, query `api-version`. @default false */
  readonly azure: boolean
}

/** What OpenAI takes. */
export const defaultResponsesCompat: OpenAiResponsesCompat = {
  effort: { minimal: 'low', low: 'low', medium: 'medium', high: 'high', xhigh: 'high' },
  summary: true,
  encryptedReasoning: true,
  promptCacheKey: true,
  azure: false,
}
