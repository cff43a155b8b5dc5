// Wraps a `fetch`: follows no redirect to another origin, and turns an HTTP error into a Failure.
import { Failure } from '../../streams/values/failure.ts'
import { readErrorText, providerFailure } from './provider-failure.ts'
import type { ResponseContext, ErrorContext, ProviderError } from './provider-failure.ts'
import { quotaResetWait, unifiedResetWait } from './limit-reset.ts'
import { urlSecrets, headerSecrets } from './request-secrets.ts'

export type Fetch = typeof globalThis.fetch

const maxRedirects = 5
const maxErrorBytes = 64 * 1024
/** Redirects that keep method and body; the others turn the request into a GET. */
const keepsMethod = new Set([307, 308])

/**
 * Returns a `fetch` for an SDK's option of that name. It follows 307 and 308 within the origin, up to 5 times, and
 * refuses any other redirect, which could leak the key (docs/design/security.md#S11). An error status rejects with a
 * Failure from at most 64 KiB of the body; the message contains no key.
 * @param context further keys to hide, and a function that classifies a failure first
 */
export function guardedFetch(provider: string, fetch?: Fetch, context: Omit<ResponseContext, 'provider'> = {}): Fetch {
  return async (input, init) => {
    const request = fetch ?? globalThis.fetch
    let url = new URL(input instanceof Request ? input.url : input)
    for (let redirects = 0; ; redirects++) {
      const response = await request(url, { ...init, redirect: 'manual' })
      if (response.ok) return response
      if (!isRedirect(response)) {
        const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined))
        const secrets = [...headerSecrets(headers), ...urlSecrets(url), ...(context.secrets ?? [])]
        throw await httpFailure(response, { ...context, provider, secrets })
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
  if (target?.origin === from.origin && keepsMethod.has(response.status) && redirects < maxRedirects) return target
  const to = target === null ? 'an address that cannot be read' : `${target.origin}${target.pathname}`
  const message = `${provider} answered ${response.status} and redirects to ${to}, which rxpi does not follow: set the base URL to the API's address.`
  throw new Failure('provider_error', message, { data: { kind: 'bad_request', status: response.status } })
}

async function httpFailure(response: Response, context: ErrorContext): Promise<Failure> {
  const { text } = await readBoundedText(response, maxErrorBytes)
  const wait = retryAfterMs(response.headers)
  const error = readErrorText(text) ?? { message: text.trim() || response.statusText }
  return providerFailure(
    { ...amazonCode(response.headers), ...error },
    {
      ...context,
      status: response.status,
      ...(wait === undefined ? {} : { retryAfterMs: wait }),
    },
  )
}

/** Amazon's APIs have the code in a header, as in `ThrottlingException:http://…`. */
function amazonCode(headers: Headers): Pick<ProviderError, 'code'> {
  const code = headers.get('x-amzn-errortype')?.split(':')[0]
  return code ? { code } : {}
}

/**
 * Returns the wait in milliseconds: `retry-after-ms`, else `retry-after` in seconds or as an HTTP date, else the end of a
 * plan's limit, else of a used-up quota. Undefined without a readable header; 0 for a date in the past.
 */
export function retryAfterMs(headers: Headers, now: number = Date.now()): number | undefined {
  const milliseconds = numberOf(headers.get('retry-after-ms'))
  if (milliseconds !== undefined) return Math.round(milliseconds)
  const header = headers.get('retry-after')
  const seconds = numberOf(header)
  if (seconds !== undefined) return Math.round(seconds * 1000)
  // a date has its month in letters; `Date.parse` takes almost any number for a year
  const date = /[A-Z]{3}/i.test(header ?? '') ? Date.parse(header ?? '') : NaN
  return Number.isNaN(date) ? (unifiedResetWait(headers, now) ?? quotaResetWait(headers, now)) : Math.max(0, date - now)
}

function numberOf(text: string | null): number | undefined {
  const value = text === null || text.trim() === '' ? NaN : Number(text)
  return Number.isFinite(value) && value >= 0 ? value : undefined
}

interface BoundedText {
  readonly text: string
  /** False if the body is longer; it was cancelled. */
  readonly whole: boolean
}

/**
 * Reads at most `limit` bytes, up to one chunk more, as UTF-8, and cancels the rest. A missing body is ''. An abort of
 * `signal` cancels the body; the result is incomplete then.
 */
export async function readBoundedText(response: Response, limit: number, signal?: AbortSignal): Promise<BoundedText> {
  if (response.body === null) return { text: '', whole: true }
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader()
  signal?.addEventListener('abort', () => void reader.cancel().catch(() => undefined), { once: true })
  const decoder = new TextDecoder()
  const pieces: string[] = []
  let bytes = 0
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    pieces.push(decoder.decode(step.value, { stream: true }))
    bytes += step.value.length
    if (bytes <= limit) continue
    await reader.cancel()
    return { text: pieces.join(''), whole: false }
  }
  return { text: pieces.join('') + decoder.decode(), whole: true }
}
