// The vendor's SDK is loaded with the first request and takes nothing from this process's environment or console.
import type { OpenAI } from 'openai'
import type { Fetch } from './guarded-fetch.ts'
import { sendableKey } from './sendable-key.ts'

export interface OpenAiClientOptions {
  readonly baseUrl: string
  /** Undefined: no Authorization header is sent. */
  readonly apiKey: string | undefined
  readonly organization: string | undefined
  readonly project: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: Fetch
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
  const defaultHeaders = {
    'User-Agent': 'rxpi',
    ...options.headers,
    ...(apiKey === undefined ? { Authorization: null } : {}),
  }
  class Client extends sdk.OpenAI {
    constructor() {
      super({
        baseURL: options.baseUrl,
        apiKey: apiKey ?? 'none',
        adminAPIKey: null,
        webhookSecret: null,
        organization: options.organization ?? null,
        project: options.project ?? null,
        maxRetries: 0,
        timeout: noTimeout,
        logLevel: 'off',
        fetch: options.fetch,
        defaultHeaders,
      })
      // the SDK adds what OPENAI_CUSTOM_HEADERS of this process says; requests are the session's, not the server's
      this._options = { ...this._options, defaultHeaders }
    }
  }
  return new Client()
}
