// Options of an endpoint with the API `openai-completions`, and their defaults.
import type { EndpointOptions } from '../../adapter/sdk-response.ts'
import type { OpenAiCompletionsCompat } from '../../../streams/models/api-compat.ts'
import type { ApiCompat } from '../../adapter/merge-compat.ts'

/** `baseUrl` is the address without `/chat/completions`. */
export interface OpenAiCompletionsOptions extends EndpointOptions {
  readonly organization?: string
  readonly project?: string
  /** @default defaultCompat */
  readonly compat?: Partial<OpenAiCompletionsCompat>
}

export type { OpenAiCompletionsCompat }

/** The compat of most endpoints. Endpoints differ by data, never by a check of their name. */
export const defaultCompat: OpenAiCompletionsCompat = {
  maxTokensField: 'max_tokens',
  systemRole: 'system',
  streamUsage: true,
  thinkingForm: 'effort',
  thinkingOff: true,
  effort: { minimal: 'low', low: 'low', medium: 'medium', high: 'high', xhigh: 'high' },
  effortWithTools: 'send',
  reasoningFields: ['reasoning_content', 'reasoning'],
  replayThinking: false,
  reasoningDetails: false,
  emptyThinking: false,
  toolResultName: false,
  answerAfterTool: false,
  strictField: false,
  strictTools: false,
  storeField: false,
  promptCacheKey: false,
  structuredOutput: 'never',
  callIdLength: 40,
  callIdForm: 'any',
}

/** Wraps the compat of one API. */
export function completions(compat: NonNullable<ApiCompat['openai-completions']>): ApiCompat {
  return { 'openai-completions': compat }
}
