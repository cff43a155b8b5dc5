// Every wire by its name; an endpoint is data, and each wire takes of it what concerns it.
import type { Provider } from '../../streams/ports/provider.ts'
import { anthropicMessages } from '../anthropic/anthropic-messages.ts'
import type { Api, ApiCompat } from '../adapter/api-compat.ts'
import { googleGenerativeAi } from '../google/google-generative-ai.ts'
import type { GoogleOptions } from '../google/google-generative-ai.ts'
import { openAiCompletions } from '../openai/completions/openai-completions.ts'
import { openAiResponses } from '../openai/responses/openai-responses.ts'
import type { EndpointOptions } from '../adapter/sdk-response.ts'

/** What is known of an endpoint, whatever its wire. */
export interface WireOptions extends EndpointOptions {
  readonly compat?: ApiCompat
  readonly organization?: string
  readonly project?: string
  readonly apiVersion?: string
  readonly vertex?: GoogleOptions['vertex']
}

/** Makes the Provider of a wire. */
export const wires: Readonly<Record<Api, (options: WireOptions) => Provider>> = {
  'openai-completions': (options) => openAiCompletions(own(options, 'openai-completions')),
  'openai-responses': (options) => openAiResponses(own(options, 'openai-responses')),
  'google-generative-ai': (options) => googleGenerativeAi(googleOptions(options, 'google-generative-ai')),
  'google-vertex': (options) =>
    googleGenerativeAi({ ...googleOptions(options, 'google-vertex'), vertex: options.vertex ?? {} }),
  'anthropic-messages': (options) => anthropicMessages(own(options, 'anthropic-messages')),
}

/** Without what is known of a project at Vertex: the Gemini API has none. */
function googleOptions({ vertex: _, ...options }: WireOptions, api: 'google-generative-ai' | 'google-vertex') {
  return own(options, api)
}

/** The wire's own manners in place of all of them. */
function own<Name extends Api, Options extends Pick<WireOptions, 'compat'>>(
  { compat, ...options }: Options,
  api: Name,
): Omit<Options, 'compat'> & { readonly compat: NonNullable<ApiCompat[Name]> | Record<string, never> } {
  return { ...options, compat: compat?.[api] ?? {} }
}
