// How models and endpoints that speak `openai-responses` differ is data, never a question after their name.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { byLevel } from './by-level.ts'

const given = Type.Optional(Type.Boolean())

export const ResponsesCompat = Type.Object(
  {
    /** Effort by thinking level, for models that reason; a level without a word sends none. */
    effort: Type.Optional(byLevel(Type.String())),
    /** Asks models that reason for a summary of it. Default true. */
    summary: given,
    /** Asks models that reason for their reasoning in encrypted form, and gives it back to them. Default true. */
    encryptedReasoning: given,
    /** Sends the session's id as `prompt_cache_key`. Default true. */
    promptCacheKey: given,
    /** The endpoint is asked through the SDK's client for Azure: header `api-key`, query `api-version`. Default false. */
    azure: given,
  },
  { additionalProperties: false, $id: 'ResponsesCompat' },
)
export type OpenAiResponsesCompat = Readonly<Required<Static<typeof ResponsesCompat>>>
