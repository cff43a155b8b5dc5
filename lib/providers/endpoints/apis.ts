// Creates the Provider of each API, whose code and SDK load with the first request.
//
// Guarantees of every Provider here: no retries and no time limits; a redirect to another origin is refused; every
// error is a Failure `provider_error` with its kind, and status and retry-after if the response has them; no error
// contains a key.
import { EMPTY, catchError, concatMap, defer, from, ignoreElements, shareReplay } from 'rxjs'
import type { Observable } from 'rxjs'
import type { Provider } from '../../streams/ports/provider.ts'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import type { Api, ApiCompat } from '../adapter/merge-compat.ts'
import type { EndpointOptions } from '../adapter/sdk-response.ts'
import type { AnthropicMessagesOptions } from '../anthropic/anthropic-messages-options.ts'
import type { AwsAccess, BedrockOptions } from '../bedrock/bedrock-options.ts'
import type { GoogleOptions } from '../google/google-options.ts'
import type { MistralOptions } from '../mistral/mistral-options.ts'
import type { OpenAiCompletionsOptions } from '../openai/completions/openai-completions-options.ts'
import type { OpenAiResponsesOptions } from '../openai/responses/openai-responses-options.ts'

/** A Provider for an endpoint with OpenAI's API `POST /chat/completions`. */
export function openAiCompletions(options: OpenAiCompletionsOptions): Provider {
  return lazyProvider(async () => (await code.openAiCompletions()).openAiCompletionsResponse(options))
}

/** A Provider for an endpoint with OpenAI's API `POST /responses`, also at Azure. */
export function openAiResponses(options: OpenAiResponsesOptions): Provider {
  return lazyProvider(async () => (await code.openAiResponses()).openAiResponsesResponse(options))
}

/** A Provider for an endpoint with Anthropic's API `POST /v1/messages`. */
export function anthropicMessages(options: AnthropicMessagesOptions): Provider {
  return lazyProvider(async () => (await code.anthropicMessages()).anthropicMessagesResponse(options))
}

/** A Provider for Google's API `:streamGenerateContent`, of the Gemini API and of Vertex. */
export function googleGenerativeAi(options: GoogleOptions): Provider {
  return lazyProvider(async () => (await code.google()).googleResponse(options))
}

/** A Provider for Mistral's own API `POST /v1/chat/completions`. */
export function mistralConversations(options: MistralOptions): Provider {
  return lazyProvider(async () => (await code.mistral()).mistralResponse(options))
}

/** A Provider for Amazon Bedrock's API `POST /model/{id}/converse-stream`. */
export function bedrockConverseStream(options: BedrockOptions): Provider {
  return lazyProvider(async () => (await code.bedrock()).bedrockResponse(options))
}

/** The code of each API is a chunk of its own. */
const code = {
  openAiCompletions: () => import('../openai/completions/openai-completions-response.ts'),
  openAiResponses: () => import('../openai/responses/openai-responses-response.ts'),
  anthropicMessages: () => import('../anthropic/anthropic-messages-response.ts'),
  google: () => import('../google/google-response.ts'),
  bedrock: () => import('../bedrock/bedrock-response.ts'),
  mistral: () => import('../mistral/mistral-response.ts'),
}

/** Loads the Provider with the first request and keeps it. After a failure the next request loads again. */
export function lazyProvider(load: () => Promise<Provider>): Provider {
  const loaded$ = defer(() => fromAbortable(load)).pipe(shareReplay({ bufferSize: 1, refCount: true }))
  return (request) => loaded$.pipe(concatMap((provider) => provider(request)))
}

/** The options of an endpoint, whatever its API. */
export interface ApiOptions extends EndpointOptions {
  readonly compat?: ApiCompat
  readonly organization?: string
  readonly project?: string
  readonly apiVersion?: string
  readonly vertex?: GoogleOptions['vertex']
  readonly aws?: AwsAccess
}

/** Creates the Provider of an API by the API's name. */
export const apis: Readonly<Record<Api, (options: ApiOptions) => Provider>> = {
  'openai-completions': (options) => openAiCompletions(ownOptions(options, 'openai-completions')),
  'openai-responses': (options) => openAiResponses(ownOptions(options, 'openai-responses')),
  'google-generative-ai': ({ vertex: _, ...options }) =>
    googleGenerativeAi(ownOptions(options, 'google-generative-ai')),
  'google-vertex': ({ vertex = {}, ...options }) =>
    googleGenerativeAi({ ...ownOptions(options, 'google-vertex'), vertex }),
  'anthropic-messages': (options) => anthropicMessages(ownOptions(options, 'anthropic-messages')),
  'bedrock-converse-stream': (options) => bedrockConverseStream(ownOptions(options, 'bedrock-converse-stream')),
  'mistral-conversations': (options) => mistralConversations(ownOptions(options, 'mistral-conversations')),
}

/** Replaces the compat of all APIs by that of this API. */
function ownOptions<Name extends Api, Options extends Pick<ApiOptions, 'compat'>>(
  { compat, ...options }: Options,
  api: Name,
): Omit<Options, 'compat'> & { readonly compat: NonNullable<ApiCompat[Name]> | Record<string, never> } {
  return { ...options, compat: compat?.[api] ?? {} }
}

// Each SDK by one of its names: the bundler keeps the whole package if no name is imported.
const openAi = () => import('openai').then(({ OpenAI }) => OpenAI)
const anthropic = () => import('@anthropic-ai/sdk').then(({ Anthropic }) => Anthropic)
const genAi = () => import('@google/genai').then(({ GoogleGenAI }) => GoogleGenAI)
const google = () => Promise.all([code.google(), genAi()])

const loaders: ReadonlyMap<string, () => Promise<unknown>> = new Map<Api, () => Promise<unknown>>([
  ['openai-completions', () => Promise.all([code.openAiCompletions(), openAi()])],
  ['openai-responses', () => Promise.all([code.openAiResponses(), openAi()])],
  ['anthropic-messages', () => Promise.all([code.anthropicMessages(), anthropic()])],
  ['google-generative-ai', google],
  ['google-vertex', google],
  ['bedrock-converse-stream', code.bedrock],
  ['mistral-conversations', code.mistral],
])

/**
 * Loads an API's code and SDK before the first request. Emits nothing and completes when both are loaded; at once for
 * an unknown API. Ignores a failure: the request loads again and reports it.
 * @param api of a model
 */
export function preloadApi(api: string): Observable<never> {
  return defer(() => from(loaders.get(api)?.() ?? EMPTY)).pipe(
    ignoreElements(),
    catchError(() => EMPTY),
  )
}
