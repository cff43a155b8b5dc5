// How models and endpoints that speak `anthropic-messages` differ is data, never a question after their name.
import type { ThinkingLevel } from '../streams/thinking-level.ts'

type Level = Exclude<ThinkingLevel, 'off'>

export interface AnthropicMessagesCompat {
  /**
   * How the key and the version are told: `vendor` as the SDK does it today (`Authorization: Bearer`, version 2026-10-21,
   * which takes no temperature); `compatible` as every endpoint knows it (`x-api-key`, version 2023-06-01). @default 'compatible'
   */
  readonly dialect: 'vendor' | 'compatible'
  /** `budget`: thinking is asked for by a number of tokens; `adaptive`: by an effort word. @default 'budget' */
  readonly thinking: 'budget' | 'adaptive'
  /**
   * What says that it shall not think: `omit` says nothing, `never` thinks all the same, with the effort of level `off`;
   * the others are words of the API. @default 'omit'
   */
  readonly withoutThinking: 'omit' | 'disabled' | 'between_tools' | 'never'
  /** Tokens of thinking by level, where thinking is a budget; at least 1,024. */
  readonly budgets: Readonly<Record<Level, number>>
  /** Effort by level, where thinking is adaptive; a level without a word sends none. */
  readonly effort: Partial<Readonly<Record<ThinkingLevel, 'low' | 'medium' | 'high' | 'xhigh' | 'max'>>>
  /** The model takes a temperature while it does not think. @default true */
  readonly temperature: boolean
  /** Its thinking is bound to what was said before; what no longer fits is dropped by the API, not refused. @default false */
  readonly boundThinking: boolean
  /** Marks system prompt, tools and the last two user turns for the prompt cache. @default true */
  readonly cacheBreakpoints: boolean
  /** Output tokens where neither the request nor the model says a number. @default 32,000 */
  readonly maxTokens: number
}

/** What older models and most endpoints take. */
export const defaultMessagesCompat: AnthropicMessagesCompat = {
  dialect: 'compatible',
  thinking: 'budget',
  withoutThinking: 'omit',
  budgets: { minimal: 1024, low: 2048, medium: 8192, high: 16_384, xhigh: 32_768 },
  effort: { minimal: 'low', low: 'low', medium: 'medium', high: 'high', xhigh: 'xhigh' },
  temperature: true,
  boundThinking: false,
  cacheBreakpoints: true,
  maxTokens: 32_000,
}
