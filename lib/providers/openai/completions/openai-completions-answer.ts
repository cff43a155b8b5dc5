// What happens between a request and its answer over chat completions.
import { defer } from 'rxjs'
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions'
import type { Provider } from '../../../streams/ports/provider.ts'
import { openAiClient } from '../openai-client.ts'
import type { OpenAiCompletionsOptions } from './openai-completions-options.ts'
import { defaultCompat } from './openai-completions-compat.ts'
import { openAiCompletionsReader } from './openai-completions-reader.ts'
import { openAiCompletionsRequest } from './openai-completions-request.ts'
import { repeatedRequest } from '../../http/repeated-request.ts'
import { sharedJson } from './shared-json.ts'
import { sdkAnswer } from '../../adapter/sdk-answer.ts'

/** Makes one client for as long as the key stays the same. */
export function openAiCompletionsAnswer(options: OpenAiCompletionsOptions): Provider {
  const { baseUrl, organization, project, headers = {} } = options
  const compat = { ...defaultCompat, ...options.compat }
  const sent$ = repeatedRequest({
    provider: options.provider,
    fetch: options.fetch,
    makeClient: (apiKey, fetch) => openAiClient({ baseUrl, apiKey, organization, project, headers, fetch }),
    send: ({ chat }, body: ChatCompletionCreateParamsStreaming, signal) =>
      chat.completions.create(body, { signal }).asResponse(),
    toJson: (body) => sharedJson(body, 'messages'),
  })
  return (request) =>
    defer(() => {
      const body = openAiCompletionsRequest(request, compat)
      return sdkAnswer({
        ...options,
        bytes: (key) => sent$(key, body),
        makeReader: (context) => (emit) =>
          openAiCompletionsReader({ model: request.model, context, reasoningFields: compat.reasoningFields }, emit),
      })
    })
}
