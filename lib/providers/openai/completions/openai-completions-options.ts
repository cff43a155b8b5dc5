// What is told of an endpoint that speaks OpenAI's chat completions.
import type { EndpointOptions } from '../../adapter/sdk-response.ts'
import type { OpenAiCompletionsCompat } from '../../../streams/models/api-compat.ts'
import type { ApiCompat } from '../../adapter/merge-compat.ts'

/** `baseUrl` goes up to and without `/chat/completions`. */
export interface OpenAiCompletionsOptions extends EndpointOptions {
  readonly organization?: string
  readonly project?: string
  /** @default defaultCompat */
  readonly compat?: Partial<OpenAiCompletionsCompat>
}

// How an endpoint differs from the rest of those that speak `openai-completions` is data (`lib/streams`), never a question after its name.

export type { OpenAiCompletionsCompat }

/** What most endpoints take. */
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
  emptyThinking: false,
  toolResultName: false,
  answerAfterTool: false,
  strictField: false,
  storeField: false,
  promptCacheKey: false,
  structuredOutput: 'never',
  callIdLength: 40,
  callIdForm: 'any',
}

// Short for the manners of an endpoint that speaks one wire only.

/** Manners on `openai-completions`. */
export function completions(compat: NonNullable<ApiCompat['openai-completions']>): ApiCompat {
  return { 'openai-completions': compat }
}
