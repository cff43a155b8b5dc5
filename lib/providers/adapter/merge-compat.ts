// Merges two descriptions of how an API deviates, field by field for each API.
import type { ApiCompat } from '../../streams/models/api-compat.ts'

export type { ApiCompat }

/** The names of the APIs. */
export type Api = keyof ApiCompat

/** Returns the earlier compat overridden by the later one, for each API. */
export function mergeCompat(earlier: ApiCompat = {}, later: ApiCompat = {}): ApiCompat {
  return {
    'openai-completions': { ...earlier['openai-completions'], ...later['openai-completions'] },
    'openai-responses': { ...earlier['openai-responses'], ...later['openai-responses'] },
    'anthropic-messages': { ...earlier['anthropic-messages'], ...later['anthropic-messages'] },
    'google-generative-ai': { ...earlier['google-generative-ai'], ...later['google-generative-ai'] },
    'bedrock-converse-stream': { ...earlier['bedrock-converse-stream'], ...later['bedrock-converse-stream'] },
    'mistral-conversations': { ...earlier['mistral-conversations'], ...later['mistral-conversations'] },
    'google-vertex': { ...earlier['google-vertex'], ...later['google-vertex'] },
  }
}
