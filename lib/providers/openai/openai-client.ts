// The vendor's SDK is loaded with the first request and takes nothing from this process's environment or console.
import type { ClientOptions, OpenAI } from 'openai'
import type { Fetch } from '../http/guarded-fetch.ts'
import { sendableKey } from '../http/request-secrets.ts'

export interface OpenAiClientOptions {
  readonly baseUrl: string
  /** Undefined: no key is sent. */
  readonly apiKey: string | undefined
  readonly organization: string | undefined
  readonly project: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: Fetch
  /** Through the SDK's client for Azure, with this version of its API. @default OpenAI's own client */
  readonly azureApiVersion?: string
}

/** The longest delay a timer takes: the idle limit is an operator's work, not the SDK's. */
const noTimeout = 2 ** 31 - 1

/**
 * A client that never retries, logs nothing, and has only the headers it is given here.
 * Rejects with Failure kind `auth` where the key cannot be a header; the platform's own error would show it.
 */
export async function openAiClient(options: OpenAiClientOptions): Promise<OpenAI> {
  const apiKey = options.apiKey === undefined ? undefined : sendableKey(options.apiKey)
  const sdk = await import('openai')
  const apiVersion = options.azureApiVersion
  const noKey = apiVersion === undefined ? { Authorization: null } : { 'api-key': null }
  const defaultHeaders = { 'User-Agent': 'rxpi', ...options.headers, ...(apiKey === undefined ? noKey : {}) }
  const settings = { ...settingsOf(options), apiKey: apiKey ?? 'none', defaultHeaders }
  if (apiVersion === undefined) return withOnlyHeaders(new sdk.OpenAI(settings), defaultHeaders)
  return withOnlyHeaders(new sdk.AzureOpenAI({ ...settings, apiVersion }), defaultHeaders)
}

/** The SDK adds what OPENAI_CUSTOM_HEADERS of this process says; requests are the session's, not the server's. */
function withOnlyHeaders<Client extends OpenAI>(
  client: Client,
  defaultHeaders: NonNullable<ClientOptions['defaultHeaders']>,
): Client {
  const known: unknown = Reflect.get(client, '_options')
  Reflect.set(client, '_options', { ...(known as ClientOptions), defaultHeaders }) // protected in the SDK
  return client
}

function settingsOf({ baseUrl, organization, project, fetch }: OpenAiClientOptions) {
  return {
    baseURL: baseUrl,
    adminAPIKey: null,
    webhookSecret: null,
    organization: organization ?? null,
    project: project ?? null,
    maxRetries: 0,
    timeout: noTimeout,
    logLevel: 'off' as const,
    fetch,
  }
}
