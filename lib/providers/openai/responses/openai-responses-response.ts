// Sends a request to `POST /responses` built by OpenAI's SDK and emits the deltas of its response.
import { defer } from 'rxjs'
import type { Provider } from '../../../streams/ports/provider.ts'
import { openAiClient } from '../openai-client.ts'
import type { OpenAiResponsesOptions } from './openai-responses-options.ts'
import { defaultResponsesCompat } from './openai-responses-options.ts'
import { openAiResponsesDecoder } from './openai-responses-decoder.ts'
import { openAiResponsesRequest } from './openai-responses-request.ts'
import { sdkRequest, sdkResponse, sendBuilt } from '../../adapter/sdk-response.ts'

/** One client of the SDK serves as long as the key stays the same. */
export function openAiResponsesResponse(options: OpenAiResponsesOptions): Provider {
  const { organization, project, headers = {}, apiVersion = 'v1' } = options
  const compat = { ...defaultResponsesCompat, ...options.compat }
  const azure = compat.azure ? { azureApiVersion: apiVersion } : {}
  const baseUrl = compat.azure ? azureBaseUrl(options.baseUrl, apiVersion) : options.baseUrl
  const sent$ = sdkRequest({
    provider: options.provider,
    fetch: options.fetch,
    makeSend: async (apiKey, fetch) => {
      const client = await openAiClient({ baseUrl, apiKey, organization, project, headers, ...azure })
      return sendBuilt(client, '/responses', fetch)
    },
  })
  return (request) =>
    defer(() => {
      const body = openAiResponsesRequest(request, compat)
      return sdkResponse({
        ...options,
        bytes: (key) => sent$(key, body, options.requestHeaders?.(request)),
        makeDecoder: (context) => (emit) => openAiResponsesDecoder({ model: request.model, context }, emit),
      })
    })
}

/** Completes the address of an Azure resource with the path of the API's version. */
function azureBaseUrl(baseUrl: string, apiVersion: string): string {
  const trimmed = baseUrl.replace(/\/+$/, '')
  if (new URL(baseUrl).pathname.split('/').includes('openai')) return trimmed
  return `${trimmed}/openai${/^\d{4}-/.test(apiVersion) ? '' : '/v1'}`
}
