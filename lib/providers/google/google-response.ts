// Sends a request to the Gemini API or Vertex with Google's SDK and emits the deltas of its response.
import { defer } from 'rxjs'
import type { Provider } from '../../streams/ports/provider.ts'
import { defaultGoogleCompat } from './google-options.ts'
import type { GoogleOptions } from './google-options.ts'
import { googleDecoder } from './google-decoder.ts'
import { googleRequest } from './google-request.ts'
import type { GoogleParameters } from './google-parameters.ts'
import { sdkRequest, sdkResponse } from '../adapter/sdk-response.ts'
import type { SendBody } from '../adapter/sdk-response.ts'
import type { GenerateContentParameters, GoogleGenAI } from '@google/genai'
import { Failure, describeThrown } from '../../streams/values/failure.ts'
import type { Fetch } from '../http/guarded-fetch.ts'
import { sendableKey } from '../http/request-secrets.ts'

/** One client of the SDK serves as long as the key stays the same. */
export function googleResponse(options: GoogleOptions): Provider {
  const { provider, baseUrl, headers = {}, authHeader = false, vertex } = options
  const compat = { ...defaultGoogleCompat, ...options.compat }
  const sent$ = sdkRequest({
    provider,
    fetch: options.fetch,
    makeSend: (apiKey, fetch) =>
      googleClient({
        provider,
        baseUrl,
        apiKey,
        headers,
        authHeader,
        fetch,
        ...(vertex === undefined ? {} : { vertex }),
      }),
  })
  return (request) =>
    defer(() => {
      const parameters = googleRequest(request, compat)
      return sdkResponse({
        ...options,
        bytes: (key) => sent$(key, parameters),
        makeDecoder: (context) => (emit) => googleDecoder({ model: request.model, context }, emit),
      })
    })
}

interface GoogleClientOptions {
  readonly provider: string
  /** With or without the version of the API. */
  readonly baseUrl: string
  /** Undefined: the request has no key; Vertex uses the credentials of `vertex.keyFile`, else those of the machine. */
  readonly apiKey: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly authHeader: boolean
  /** @default the Gemini API */
  readonly vertex?: { readonly project?: string; readonly location?: string; readonly keyFile?: string }
  readonly fetch: Fetch
}

type GoogleClient = SendBody<GoogleParameters>

/**
 * Loads the SDK. The client never retries, takes nothing from this process's environment, and sends only the headers in
 * `options`. Rejects with Failure kind `auth` if the key cannot be a header, or if Vertex has no credentials.
 */
async function googleClient(options: GoogleClientOptions): Promise<GoogleClient> {
  const key = options.apiKey === undefined ? undefined : sendableKey(options.apiKey)
  const sdk = await import('@google/genai')
  const client = withoutConsole(() => new sdk.GoogleGenAI(settingsOf(options, key)))
  const fetch = key === undefined && options.vertex === undefined ? withoutKey(options.fetch) : options.fetch
  const needsToken = options.vertex !== undefined && key === undefined
  return (parameters, signal) => answerOf(client, { parameters, signal, fetch, provider: options.provider, needsToken })
}

function settingsOf({ baseUrl, headers, authHeader, vertex, fetch }: GoogleClientOptions, key: string | undefined) {
  const [, base = baseUrl, version] = /^(.*?)(?:\/(v\d[a-z0-9]*))?\/*$/.exec(baseUrl) ?? []
  const { project, location = 'global', keyFile } = vertex ?? {}
  const usesKey = vertex === undefined || key !== undefined
  return {
    vertexai: vertex !== undefined,
    // without a key the SDK uses that of this process
    ...(usesKey ? { apiKey: key ?? 'none' } : { project: project ?? '', location }),
    ...(usesKey ? {} : { googleAuthOptions: authOptions(keyFile, fetch) }),
    httpOptions: {
      baseUrl: vertex === undefined || usesKey ? base : regional(base, location),
      apiVersion: version ?? (vertex === undefined ? 'v1beta' : 'v1beta1'),
      headers: { ...(authHeader && key !== undefined ? { Authorization: `Bearer ${key}` } : {}), ...headers },
    },
  }
}

/** Requests for a token go over the provider's transport, which has the proxies of a server's start in memory. */
function authOptions(keyFile: string | undefined, fetch: Fetch) {
  return {
    ...(keyFile === undefined ? {} : { keyFilename: keyFile }),
    clientOptions: { transporterOptions: { fetchImplementation: encodeForm(fetch) } },
  }
}

/** The transport takes text; the platform's `fetch` would encode a form itself. */
function encodeForm(fetch: Fetch): Fetch {
  return (input, init) => {
    const { body, headers } = init ?? {}
    if (!(body instanceof URLSearchParams)) return fetch(input, init)
    const encoded = new Headers(headers)
    encoded.set('content-type', 'application/x-www-form-urlencoded;charset=UTF-8')
    return fetch(input, { ...init, headers: encoded, body: body.toString() })
  }
}

/** Returns the address of a Vertex location; any address but the vendor's own stays as it is. */
function regional(base: string, location: string): string {
  if (new URL(base).hostname !== 'aiplatform.googleapis.com' || location === 'global') return base
  if (location === 'us' || location === 'eu') return `https://aiplatform.${location}.rep.googleapis.com`
  return `https://${location}-aiplatform.googleapis.com`
}

interface RequestContext {
  readonly parameters: GoogleParameters
  readonly signal: AbortSignal
  readonly fetch: Fetch
  readonly provider: string
  /** True if the SDK gets a token with the credentials that it finds before the request. */
  readonly needsToken: boolean
}

/**
 * Captures the response in `fetch`, because the SDK does not return it. The SDK gets an empty response, and its stream
 * is never read.
 */
async function answerOf(
  client: GoogleGenAI,
  { parameters, signal, fetch, provider, needsToken }: RequestContext,
): Promise<Response> {
  const answers: Response[] = []
  const sentInputs: unknown[] = []
  const capture: Fetch = async (input, init) => {
    sentInputs.push(input)
    answers.push(await fetch(input, init))
    return new Response('')
  }
  const config = { ...parameters.config, abortSignal: signal, httpOptions: { fetch: capture } }
  const capturing: unknown = { ...parameters, config }
  try {
    await client.models.generateContentStream(capturing as GenerateContentParameters) // plain data, not the SDK's enums and classes
  } catch (error) {
    throw sentInputs.length === 0 && needsToken && !isOfNetwork(error) ? noToken(provider, error) : error
  }
  const [answer] = answers
  if (answer === undefined) throw new Error('the SDK made no request')
  return answer
}

function noToken(provider: string, error: unknown): Failure {
  const reason = describeThrown(error)
  const message = `${provider}: there are no credentials for Vertex: ${reason}. Set GOOGLE_API_KEY, or GOOGLE_APPLICATION_CREDENTIALS.`
  return new Failure('provider_error', message, { data: { kind: 'auth' }, cause: error })
}

const networkCodes = ['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT']

function isOfNetwork(error: unknown): boolean {
  return error instanceof Error && 'code' in error && networkCodes.includes(String(error.code))
}

function withoutKey(fetch: Fetch): Fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers)
    headers.delete('x-goog-api-key')
    return fetch(input, { ...init, headers })
  }
}

/** Silences the constructor, which writes to standard output which variables it ignores. */
function withoutConsole<Made>(make: () => Made): Made {
  const { debug, warn } = console
  try {
    Object.assign(console, { debug: () => undefined, warn: () => undefined })
    return make()
  } finally {
    Object.assign(console, { debug, warn })
  }
}
