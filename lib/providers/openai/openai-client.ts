// Creates OpenAI's client, which builds requests; the SDK loads with the first request.
//
// Guarantees: the client takes nothing from this process's environment, and writes nothing to the console.
import type { ClientOptions, OpenAI } from 'openai'
import { sendableKey } from '../http/request-secrets.ts'

export interface OpenAiClientOptions {
  readonly baseUrl: string
  /** Undefined: the request has no key. */
  readonly apiKey: string | undefined
  readonly organization: string | undefined
  readonly project: string | undefined
  readonly headers: Readonly<Record<string, string>>
  /** Uses the SDK's client for Azure with this API version. @default OpenAI's own client */
  readonly azureApiVersion?: string
}

/** The longest delay of a timer; the idle limit is an operator's work, not the SDK's. */
const noTimeout = 2 ** 31 - 1

/**
 * Returns a client that never retries, logs nothing, and sends only the headers in `options`. Rejects with Failure kind
 * `auth` if the key cannot be a header; the platform's own error would contain it.
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

/**
 * Removes the headers that the SDK takes from OPENAI_CUSTOM_HEADERS: requests belong to the session, not to the server.
 */
function withOnlyHeaders<Client extends OpenAI>(
  client: Client,
  defaultHeaders: NonNullable<ClientOptions['defaultHeaders']>,
): Client {
  const known: unknown = Reflect.get(client, '_options')
  Reflect.set(client, '_options', { ...(known as ClientOptions), defaultHeaders }) // protected in the SDK
  return client
}

function settingsOf({ baseUrl, organization, project }: OpenAiClientOptions) {
  return {
    baseURL: baseUrl,
    adminAPIKey: null,
    webhookSecret: null,
    organization: organization ?? null,
    project: project ?? null,
    maxRetries: 0,
    timeout: noTimeout,
    logLevel: 'off' as const,
  }
}
