// Every wire by its name; an endpoint is data, and each wire takes of it what concerns it.
import type { Provider } from '../streams/provider.ts'
import { anthropicMessages } from './anthropic-messages.ts'
import type { Api, ApiCompat } from './api-compat.ts'
import { openAiCompletions } from './openai-completions.ts'
import { openAiResponses } from './openai-responses.ts'
import type { EndpointOptions } from './sdk-answer.ts'

/** What is known of an endpoint, whatever its wire. */
export interface WireOptions extends EndpointOptions {
  readonly compat?: ApiCompat
  readonly organization?: string
  readonly project?: string
  readonly apiVersion?: string
}

/** Makes the Provider of a wire. */
export const wires: Readonly<Record<Api, (options: WireOptions) => Provider>> = {
  'openai-completions': (options) => openAiCompletions(own(options, 'openai-completions')),
  'openai-responses': (options) => openAiResponses(own(options, 'openai-responses')),
  'anthropic-messages': (options) => anthropicMessages(own(options, 'anthropic-messages')),
}

/** The wire's own manners in place of all of them. */
function own<Name extends Api>(
  { compat, ...options }: WireOptions,
  api: Name,
): Omit<WireOptions, 'compat'> & { readonly compat: NonNullable<ApiCompat[Name]> | Record<string, never> } {
  return { ...options, compat: compat?.[api] ?? {} }
}
