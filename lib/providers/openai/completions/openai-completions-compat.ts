// How an endpoint differs from the rest of those that speak `openai-completions` is data (`lib/streams`), never a question after its name.
import type { OpenAiCompletionsCompat } from '../../../streams/models/api-compat.ts'

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
