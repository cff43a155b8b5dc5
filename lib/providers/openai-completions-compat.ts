// How an endpoint differs from the rest of those that speak `openai-completions` is data, never a question after its name.
import type { ThinkingLevel } from '../streams/thinking-level.ts'

export interface OpenAiCompletionsCompat {
  /** The field that limits the output. @default 'max_tokens' */
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens'
  /** Asks by `stream_options` for the usage at the end of the stream. @default true */
  readonly streamUsage: boolean
  /** `reasoning_effort` by thinking level, for models that reason; a level without a word sends nothing. */
  readonly effort: Partial<Readonly<Record<ThinkingLevel, string>>>
  /** Beside tools the effort is sent, left out, or has to be `none`. @default 'send' */
  readonly effortWithTools: 'send' | 'omit' | 'none'
  /** Gives the model its own earlier thinking back, in the field in which it came. @default false */
  readonly replayThinking: boolean
  /** Sends the session's id as `prompt_cache_key`. @default false */
  readonly promptCacheKey: boolean
  /** The longest id of a tool call. @default 40 */
  readonly callIdLength: number
}

/** What most endpoints take. */
export const defaultCompat: OpenAiCompletionsCompat = {
  maxTokensField: 'max_tokens',
  streamUsage: true,
  effort: { minimal: 'low', low: 'low', medium: 'medium', high: 'high', xhigh: 'high' },
  effortWithTools: 'send',
  replayThinking: false,
  promptCacheKey: false,
  callIdLength: 40,
}
