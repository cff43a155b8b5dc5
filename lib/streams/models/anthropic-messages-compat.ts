// How models and endpoints that speak `anthropic-messages` differ is data, never a question after their name.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { byLevel } from './by-level.ts'
import { stringEnum } from '../schema/string-enum.ts'
import type { ThinkingLevel } from './thinking-level.ts'

type Budgets = Readonly<Record<Exclude<ThinkingLevel, 'off'>, number>>

const given = Type.Optional(Type.Boolean())
const budget = Type.Integer({ minimum: 1024 })

export const MessagesCompat = Type.Object(
  {
    /**
     * How the key and the version are told: `vendor` as the SDK does it today (`Authorization: Bearer`, version 2026-10-21,
     * which takes no temperature); `compatible` as every endpoint knows it (`x-api-key`, version 2023-06-01). Default `compatible`.
     */
    dialect: Type.Optional(stringEnum(['vendor', 'compatible'])),
    /** `budget`: thinking is asked for by a number of tokens; `adaptive`: by an effort word. Default `budget`. */
    thinking: Type.Optional(stringEnum(['budget', 'adaptive'])),
    /**
     * What says that it shall not think: `omit` says nothing, `never` thinks all the same, with the effort of level `off`;
     * the others are words of the API. Default `omit`.
     */
    withoutThinking: Type.Optional(stringEnum(['omit', 'disabled', 'between_tools', 'never'])),
    /** Tokens of thinking by level, where thinking is a budget; at least 1,024, and all levels. */
    budgets: Type.Optional(
      Type.Unsafe<Budgets>(
        Type.Object(
          { minimal: budget, low: budget, medium: budget, high: budget, xhigh: budget },
          { additionalProperties: false },
        ),
      ),
    ),
    /** Effort by level, where thinking is adaptive; a level without a word sends none. */
    effort: Type.Optional(byLevel(stringEnum(['low', 'medium', 'high', 'xhigh', 'max']))),
    /** The model takes a temperature while it does not think. Default true. */
    temperature: given,
    /** Its thinking is bound to what was said before; what no longer fits is dropped by the API, not refused. Default false. */
    boundThinking: given,
    /** Marks system prompt, tools and the last two user turns for the prompt cache. Default true. */
    cacheBreakpoints: given,
    /** Output tokens where neither the request nor the model says a number. Default 32,000. */
    maxTokens: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { additionalProperties: false, $id: 'MessagesCompat' },
)
export type AnthropicMessagesCompat = Readonly<Required<Static<typeof MessagesCompat>>>
