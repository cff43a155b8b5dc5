// What every adapter's request goes through: no redirect leaves the origin, and an HTTP error becomes a Failure here, once.
import { Failure } from '../../streams/values/failure.ts'
import { boundedText } from './bounded-text.ts'
import { readProviderError, toldFailure } from './provider-failure.ts'
import type { AnswerContext, ErrorContext } from './provider-failure.ts'
import { retryAfterMs } from './retry-after.ts'
import { secretsOfAddress, sentSecrets } from './sent-secrets.ts'

export type Fetch = typeof globalThis.fetch

const mostRedirects = 5
const longestErrorBody = 64 * 1024
/** Redirects that keep method and body; the others would turn the request into a GET. */
const keepsMethod = new Set([307, 308])

/**
 * A `fetch` for an SDK's option of that name. Follows 307 and 308 within the origin, up to 5 times; any other redirect
 * is refused, for a key would go with it (docs/design/security.md#S11). An error status rejects with the typed Failure, made of at most
 * 64 KiB of the body; keys that were sent are cut out of its message. `known` says more keys,
 * and who is asked first how it failed.
 */
export function guardedFetch(provider: string, fetch?: Fetch, known: Omit<AnswerContext, 'provider'> = {}): Fetch {
  return async (input, init) => {
    const request = fetch ?? globalThis.fetch
    let url = new URL(input instanceof Request ? input.url : input)
    for (let redirects = 0; ; redirects++) {
      const response = await request(url, { ...init, redirect: 'manual' })
      if (response.ok) return response
      if (!isRedirect(response)) {
        const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined))
        const secrets = [...sentSecrets(headers), ...secretsOfAddress(url), ...(known.secrets ?? [])]
        throw await httpFailure(response, { ...known, provider, secrets })
      }
      await response.body?.cancel()
      url = redirectTarget(provider, url, response, redirects)
    }
  }
}

function isRedirect({ status, headers }: Response): boolean {
  return status >= 300 && status < 400 && headers.has('location')
}

function redirectTarget(provider: string, from: URL, response: Response, redirects: number): URL {
  const target = URL.parse(response.headers.get('location') ?? '', from.href)
  if (target?.origin === from.origin && keepsMethod.has(response.status) && redirects < mostRedirects) return target
  const to = target === null ? 'an address that cannot be read' : `${target.origin}${target.pathname}`
  const message = `${provider} answered ${response.status} and wants the request at ${to}, which is not followed: set the base URL to where the API really is.`
  throw new Failure('provider_error', message, { data: { kind: 'bad_request', status: response.status } })
}

async function httpFailure(response: Response, context: ErrorContext): Promise<Failure> {
  const { text } = await boundedText(response, longestErrorBody)
  const wait = retryAfterMs(response.headers)
  return toldFailure(readBody(text) ?? { message: text.trim() || response.statusText }, {
    ...context,
    status: response.status,
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  })
}

function readBody(body: string): ReturnType<typeof readProviderError> {
  try {
    return readProviderError(JSON.parse(body))
  } catch {
    return undefined // no JSON: the text itself is the message
  }
}
