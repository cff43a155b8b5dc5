// Fetches one JSON document from an endpoint.
import type { Observable } from 'rxjs'
import { httpFetch } from '../../host/http/http-fetch.ts'
import { Failure } from '../../streams/values/failure.ts'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import { readBoundedText, guardedFetch } from './guarded-fetch.ts'
import type { Fetch } from './guarded-fetch.ts'

export interface JsonEndpoint {
  /** The name of the endpoint in error messages. */
  readonly provider: string
  /** The address without `/chat/completions`. */
  readonly baseUrl: string
  readonly headers?: Readonly<Record<string, string>>
  /** @default `httpFetch` */
  readonly fetch?: Fetch
}

const maxBytes = 4 * 1024 * 1024

/**
 * Emits the parsed document and completes; unsubscribing closes the socket. With a body the request is a POST. Fails
 * with a Failure, or with the error of `fetch`.
 * @param path begins with `/`; it is appended to the base URL
 */
export function fetchJson(path: string, endpoint: JsonEndpoint, body?: object): Observable<unknown> {
  const { provider, baseUrl, headers, fetch = httpFetch } = endpoint
  return fromAbortable(async (signal) => {
    const content = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const response = await guardedFetch(provider, fetch)(`${baseUrl}${path}`, {
      ...content,
      headers: { accept: 'application/json', ...type, ...headers },
      signal,
    })
    const { text, whole } = await readBoundedText(response, maxBytes)
    if (whole) return parseJson(text, provider)
    throw new Failure('provider_error', `${provider} sent more than 4 MiB for ${path}: check the base URL.`, {
      data: { kind: 'bad_request' },
    })
  })
}

/** Returns the endpoint without the path of its base URL, for an API beside OpenAI's. */
export function atRoot(endpoint: JsonEndpoint): JsonEndpoint {
  return { ...endpoint, baseUrl: new URL(endpoint.baseUrl).origin }
}

function parseJson(text: string, provider: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Failure('provider_error', `${provider} sent a body that is not JSON: check the base URL.`, {
      data: { kind: 'bad_request' },
    })
  }
}
