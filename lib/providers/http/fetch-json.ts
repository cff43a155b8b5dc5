// One question to an endpoint whose answer is JSON; what comes back is taken for nothing until it was looked at.
import type { Observable } from 'rxjs'
import { httpFetch } from '../../host/http/http-fetch.ts'
import { Failure } from '../../streams/values/failure.ts'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import { readBoundedText } from './guarded-fetch.ts'
import { guardedFetch } from './guarded-fetch.ts'
import type { Fetch } from './guarded-fetch.ts'

export interface JsonEndpoint {
  /** Whom errors name. */
  readonly provider: string
  /** Up to and without `/chat/completions`. */
  readonly baseUrl: string
  readonly headers?: Readonly<Record<string, string>>
  /** @default `httpFetch` */
  readonly fetch?: Fetch
}

const maxBytes = 4 * 1024 * 1024

/**
 * Emits what the endpoint says at a path, and completes; unsubscribing closes the socket. With a body the request is a POST.
 * Fails with a Failure, or with what `fetch` failed with. @param path begins with `/`; it stands behind the base URL, and
 * behind its origin where that is asked for
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
    throw new Failure('provider_error', `${provider} says more at ${path} than can be taken.`, {
      data: { kind: 'bad_request' },
    })
  })
}

/** The same without the path of the base URL: where an endpoint has an API of its own beside OpenAI's. */
export function atRoot(endpoint: JsonEndpoint): JsonEndpoint {
  return { ...endpoint, baseUrl: new URL(endpoint.baseUrl).origin }
}

function parseJson(text: string, provider: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Failure('provider_error', `${provider} says something that is no JSON.`, {
      data: { kind: 'bad_request' },
    })
  }
}
