// What is told of an endpoint that speaks OpenAI's chat completions.
import type { OpenAiCompletionsCompat } from './openai-completions-compat.ts'
import type { EndpointOptions } from '../../adapter/sdk-response.ts'

/** `baseUrl` goes up to and without `/chat/completions`. */
export interface OpenAiCompletionsOptions extends EndpointOptions {
  readonly organization?: string
  readonly project?: string
  /** @default defaultCompat */
  readonly compat?: Partial<OpenAiCompletionsCompat>
}
