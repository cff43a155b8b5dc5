// Sends a request built by Anthropic's SDK to `POST /v1/messages`, and emits the response's deltas.
//
// Guarantees: an answer that pauses goes on with another request (docs/decisions/0250), as one answer.
import { defer } from 'rxjs'
import type { Provider } from '../../streams/ports/provider.ts'
import { defaultMessagesCompat } from './anthropic-messages-options.ts'
import type { AnthropicMessagesOptions, AnthropicMessagesCompat } from './anthropic-messages-options.ts'
import { anthropicMessagesDecoder } from './anthropic-messages-decoder.ts'
import { anthropicMessagesRequest } from './anthropic-messages-request.ts'
import { resumePauses, resumptionBody } from './anthropic-messages-resumption.ts'
import { sdkRequest, sdkResponse, sendBuilt } from '../adapter/sdk-response.ts'
import type { Anthropic } from '@anthropic-ai/sdk'
import { sendableKey } from '../http/request-secrets.ts'

/** One client of the SDK serves as long as the key stays the same. */
export function anthropicMessagesResponse(options: AnthropicMessagesOptions): Provider {
  const { baseUrl, headers = {}, authHeader = false, onlyBearer = false } = options
  const compat = { ...defaultMessagesCompat, ...options.compat }
  const sent$ = sdkRequest({
    provider: options.provider,
    fetch: options.fetch,
    makeSend: async (apiKey, fetch) => {
      const client = await anthropicClient({ baseUrl, apiKey, headers, authHeader, onlyBearer, compat })
      return sendBuilt(client, '/v1/messages', fetch)
    },
  })
  return (request) =>
    defer(() => {
      const { model } = request
      const body = anthropicMessagesRequest(request, compat)
      return resumePauses(options.provider, (earlier, onPause) =>
        sdkResponse({
          ...options,
          bytes: (key) =>
            sent$(key, earlier === undefined ? body : resumptionBody(body, earlier), options.requestHeaders?.(request)),
          makeDecoder: (context) => (emit) => anthropicMessagesDecoder({ model, context, earlier, onPause }, emit),
        }),
      )
    })
}

interface AnthropicClientOptions {
  readonly baseUrl: string
  /** Undefined: no key is sent. */
  readonly apiKey: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly authHeader: boolean
  readonly onlyBearer: boolean
  readonly compat: Pick<AnthropicMessagesCompat, 'dialect' | 'boundThinking'>
}

/** The longest delay a timer takes: the idle limit is an operator's work, not the SDK's. */
const noTimeout = 2 ** 31 - 1
/**
 * Enables `thinking.block_binding`: the API drops thinking that no longer fits the conversation instead of refusing it.
 */
const bindingBeta = 'thinking-binding-controls-2026-08-01'

/**
 * Loads the SDK. The client never retries, logs nothing, takes nothing from this process's environment or profiles, and
 * sends only the headers in `options`. A base URL may end in `/v1`. Rejects with Failure kind `auth` if the key cannot
 * be a header.
 */
async function anthropicClient(options: AnthropicClientOptions): Promise<Anthropic> {
  const { dialect } = options.compat
  const key = options.apiKey === undefined ? undefined : sendableKey(options.apiKey)
  const sdk = await import('@anthropic-ai/sdk')
  const defaultHeaders = headersFor(options, key)
  class Client extends sdk.Anthropic {
    constructor() {
      super({
        baseURL: options.baseUrl.replace(/\/(v1\/?)?$/, ''),
        apiKey: dialect === 'vendor' ? (key ?? null) : null,
        authToken: null,
        webhookKey: null,
        maxRetries: 0,
        timeout: noTimeout,
        logLevel: 'off',
        openTelemetry: false,
        defaultHeaders,
      })
      // removes the headers that the SDK takes from ANTHROPIC_CUSTOM_HEADERS: requests belong to the session, not to
      // the server
      Object.assign(this, { _options: { ...Reflect.get(this, '_options'), defaultHeaders } })
    }

    /** Without this, a client without a key looks for profiles and tokens on the disk of the server. */
    protected override _shouldResolveDefaultCredentials(): boolean {
      return false
    }
  }
  return new Client()
}

function headersFor(
  { headers, authHeader, onlyBearer, compat }: AnthropicClientOptions,
  key: string | undefined,
): Record<string, string | null> {
  const isVendor = compat.dialect === 'vendor'
  const betas = [...(compat.boundThinking ? [bindingBeta] : []), ...Object.entries(headers).flatMap(betaOf)].join(',')
  return {
    'User-Agent': 'rxpi',
    ...(isVendor ? {} : { 'anthropic-version': '2023-06-01' }),
    ...(isVendor && key !== undefined
      ? {}
      : { Authorization: (authHeader || onlyBearer) && key !== undefined ? `Bearer ${key}` : null }),
    ...(isVendor || onlyBearer || key === undefined ? {} : { 'x-api-key': key }),
    ...headers,
    ...(betas === '' ? {} : { 'anthropic-beta': betas }),
  }
}

function betaOf([name, value]: readonly [name: string, value: string]): string[] {
  return name.toLowerCase() === 'anthropic-beta' ? [value] : []
}
