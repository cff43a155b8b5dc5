// Options of an endpoint with Mistral's own API, and their defaults.
import type { EndpointOptions } from '../adapter/sdk-response.ts'
import type { MistralCompat } from '../../streams/models/api-compat.ts'

/** `baseUrl` goes up to and without `/v1/chat/completions`; it may end in `/v1`. */
export interface MistralOptions extends EndpointOptions {
  /** @default defaultMistralCompat */
  readonly compat?: Partial<MistralCompat>
}

export type { MistralCompat }

/** The compat of models without effort words. */
export const defaultMistralCompat: MistralCompat = {
  thinking: 'prompt_mode',
  effort: { off: 'none', minimal: 'high', low: 'high', medium: 'high', high: 'high', xhigh: 'high' },
  answerAfterTool: true,
  promptCacheKey: true,
  structuredOutput: 'without_tools',
}
