// Sends a request to Mistral's own API and emits the deltas of its response.
//
// No SDK: the platform's `fetch` sends the body, and the decoder of chat completions reads the chunks.
import { defer } from 'rxjs'
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import type { Usage } from '../../streams/messages/message.ts'
import type { ModelPrices } from '../../streams/models/model.ts'
import { usageCost } from '../../streams/models/price-usage.ts'
import type { Provider } from '../../streams/ports/provider.ts'
import { jsonText } from '../../streams/values/json.ts'
import type { EventDecoder } from '../adapter/frame-reader.ts'
import { sdkResponse } from '../adapter/sdk-response.ts'
import type { UsageFormat } from '../adapter/usage-cost.ts'
import { sendForBytes } from '../http/event-stream-bytes.ts'
import { guardedFetch } from '../http/guarded-fetch.ts'
import { tokenCount, recordOf } from '../http/json-field.ts'
import { sendableKey } from '../http/request-secrets.ts'
import { openAiCompletionsDecoder } from '../openai/completions/openai-completions-decoder.ts'
import type { CompletionsDecoderOptions } from '../openai/completions/openai-completions-decoder.ts'
import { defaultMistralCompat } from './mistral-options.ts'
import type { MistralOptions } from './mistral-options.ts'
import { mistralRequest } from './mistral-request.ts'
import type { MistralBody } from './mistral-request.ts'

export function mistralResponse(options: MistralOptions): Provider {
  const { provider, baseUrl, headers = {} } = options
  const compat = { ...defaultMistralCompat, ...options.compat }
  const send = guardedFetch(provider, options.fetch)
  const url = chatUrl(baseUrl)
  return (request) =>
    defer(() => {
      const body = mistralRequest(request, compat)
      return sdkResponse({
        ...options,
        bytes: (key) =>
          sendForBytes(provider, async (signal) =>
            send(url, { method: 'POST', headers: headersOf(body, headers, key), body: jsonText(body), signal }),
          ),
        makeDecoder: (context) => (emit) => mistralDecoder({ model: request.model, context }, emit),
      })
    })
}

/** Chunks of a chat completion, whose content may be a list of texts and thinking. */
export function mistralDecoder(
  about: Pick<CompletionsDecoderOptions, 'model' | 'context'>,
  emit: (delta: AssistantDelta) => void,
): EventDecoder {
  return openAiCompletionsDecoder({ ...about, reasoningFields: [], usageFormat: mistralUsageFormat }, emit)
}

function chatUrl(baseUrl: string): string {
  const url = new URL(baseUrl)
  const path = url.pathname.replace(/\/+$/, '')
  url.pathname = `${path.endsWith('/v1') ? path : `${path}/v1`}/chat/completions`
  return url.href
}

/** Requests of one session reach the same cache by `x-affinity`. A header of `models.json` overrides each of these. */
function headersOf(
  { prompt_cache_key: session }: MistralBody,
  own: Readonly<Record<string, string>>,
  key: string | undefined,
): Headers {
  const headers = new Headers({
    accept: 'text/event-stream',
    'content-type': 'application/json',
    'user-agent': 'rxpi',
    ...(session === undefined ? {} : { 'x-affinity': session }),
    ...(key === undefined ? {} : { authorization: `Bearer ${sendableKey(key)}` }),
  })
  for (const [name, value] of Object.entries(own)) headers.set(name, value)
  return headers
}

/** Prompt tokens include the cached ones, which the API reports under several names; rxpi's do not. */
export function mistralUsage(reported: unknown, prices: ModelPrices | undefined): Usage | undefined {
  const report = recordOf(reported)
  if (typeof report['prompt_tokens'] !== 'number') return undefined
  const prompt = tokenCount(report['prompt_tokens'])
  const cacheRead = Math.min(prompt, cachedTokens(report))
  const reasoning = tokenCount(recordOf(report['completion_tokens_details'])['reasoning_tokens'])
  const tokens = {
    input: prompt - cacheRead,
    output: tokenCount(report['completion_tokens']),
    cacheRead,
    cacheWrite: 0,
  }
  return {
    ...tokens,
    ...(reasoning > 0 ? { reasoning } : {}),
    totalTokens: prompt + tokens.output,
    cost: usageCost(tokens, prices),
  }
}

function cachedTokens(report: Readonly<Record<string, unknown>>): number {
  const details = [report['prompt_tokens_details'], report['prompt_token_details']].map(
    (each) => recordOf(each)['cached_tokens'],
  )
  return [...details, report['num_cached_tokens']].map(tokenCount).find((count) => count > 0) ?? 0
}

const mistralUsageFormat: UsageFormat = {
  counts: [
    'prompt_tokens',
    'completion_tokens',
    'total_tokens',
    'prompt_tokens_details.cached_tokens',
    'prompt_token_details.cached_tokens',
    'num_cached_tokens',
    'completion_tokens_details.reasoning_tokens',
  ],
  convert: mistralUsage,
}
