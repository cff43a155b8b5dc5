// The manners of a model or an endpoint are kept by wire: the same model may answer on several.
import type { AnthropicMessagesCompat } from './anthropic-messages-compat.ts'
import type { GoogleCompat } from './google-compat.ts'
import type { OpenAiCompletionsCompat } from './openai-completions-compat.ts'
import type { OpenAiResponsesCompat } from './openai-responses-compat.ts'

/** What differs from the wire's defaults. */
export interface ApiCompat {
  readonly 'openai-completions'?: Partial<OpenAiCompletionsCompat>
  readonly 'openai-responses'?: Partial<OpenAiResponsesCompat>
  readonly 'anthropic-messages'?: Partial<AnthropicMessagesCompat>
  readonly 'google-generative-ai'?: Partial<GoogleCompat>
  readonly 'google-vertex'?: Partial<GoogleCompat>
}

/** The wires that are spoken here. */
export type Api = keyof ApiCompat

/** The later one's manners on top of the earlier one's, wire by wire. */
export function mergedCompat(earlier: ApiCompat = {}, later: ApiCompat = {}): ApiCompat {
  return {
    'openai-completions': { ...earlier['openai-completions'], ...later['openai-completions'] },
    'openai-responses': { ...earlier['openai-responses'], ...later['openai-responses'] },
    'anthropic-messages': { ...earlier['anthropic-messages'], ...later['anthropic-messages'] },
    'google-generative-ai': { ...earlier['google-generative-ai'], ...later['google-generative-ai'] },
    'google-vertex': { ...earlier['google-vertex'], ...later['google-vertex'] },
  }
}
