// The later one of two descriptions of manners counts, field by field, wire by wire.
import type { ApiCompat } from '../../streams/models/api-compat.ts'

export type { ApiCompat }

/** The wires that are spoken here. */
export type Api = keyof ApiCompat

/** The later one's manners on top of the earlier one's, wire by wire. */
export function mergeCompat(earlier: ApiCompat = {}, later: ApiCompat = {}): ApiCompat {
  return {
    'openai-completions': { ...earlier['openai-completions'], ...later['openai-completions'] },
    'openai-responses': { ...earlier['openai-responses'], ...later['openai-responses'] },
    'anthropic-messages': { ...earlier['anthropic-messages'], ...later['anthropic-messages'] },
    'google-generative-ai': { ...earlier['google-generative-ai'], ...later['google-generative-ai'] },
    'google-vertex': { ...earlier['google-vertex'], ...later['google-vertex'] },
  }
}
