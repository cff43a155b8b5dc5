// What happens between a request and its answer over the Responses API.
import { defer } from 'rxjs'
import type { Provider } from '../../../streams/ports/provider.ts'
import { openAiClient } from '../openai-client.ts'
import type { OpenAiResponsesOptions } from './openai-responses-options.ts'
import { defaultResponsesCompat } from './openai-responses-compat.ts'
import { openAiResponsesReader } from './openai-responses-reader.ts'
import { openAiResponsesRequest } from './openai-responses-request.ts'
import { repeatedRequest } from '../../http/repeated-request.ts'
import { sdkAnswer } from '../../adapter/sdk-answer.ts'

/** Makes one client for as long as the key stays the same. */
export function openAiResponsesAnswer(options: OpenAiResponsesOptions): Provider {
  const { organization, project, headers = {}, apiVersion = 'v1' } = options
  const compat = { ...defaultResponsesCompat, ...options.compat }
  const azure = compat.azure ? { azureApiVersion: apiVersion } : {}
  const baseUrl = compat.azure ? azureBaseUrl(options.baseUrl, apiVersion) : options.baseUrl
  const sent$ = repeatedRequest({
    provider: options.provider,
    fetch: options.fetch,
    makeClient: (apiKey, fetch) => openAiClient({ baseUrl, apiKey, organization, project, headers, fetch, ...azure }),
    send: (client, body, signal) => client.post('/responses', { body, signal, stream: true }).asResponse(),
  })
  return (request) =>
    defer(() => {
      const body = openAiResponsesRequest(request, compat)
      return sdkAnswer({
        ...options,
        bytes: (key) => sent$(key, body),
        makeReader: (context) => (emit) => openAiResponsesReader({ model: request.model, context }, emit),
      })
    })
}

/** A resource's address alone is completed with the path that goes with the version of the API. */
function azureBaseUrl(baseUrl: string, apiVersion: string): string {
  const trimmed = baseUrl.replace(/\/+$/, '')
  if (new URL(baseUrl).pathname.split('/').includes('openai')) return trimmed
  return `${trimmed}/openai${/^\d{4}-/.test(apiVersion) ? '' : '/v1'}`
}
