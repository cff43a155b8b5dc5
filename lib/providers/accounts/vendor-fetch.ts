// Sends the requests of a sign-in, and reads their JSON; no error repeats a token, a code or a body.
import { httpFetch } from '../../host/http/http-fetch.ts'
import { Failure } from '../../streams/values/failure.ts'
import { isRecord } from '../../streams/values/json.ts'
import { readBoundedText, retryAfterMs } from '../http/guarded-fetch.ts'
import type { Fetch } from '../http/guarded-fetch.ts'
import { thrownFailure } from '../http/provider-failure.ts'
import type { AccountVendor } from './account-vendor.ts'

/** A vendor, and how it is reached. */
export interface VendorAccess {
  readonly vendor: AccountVendor
  /** Host of a company's installation. @default the vendor's own */
  readonly domain?: string | undefined
  /** @default `httpFetch` */
  readonly fetch?: Fetch | undefined
}

export interface VendorResponse {
  readonly status: number
  /** Undefined if the body is no JSON object. */
  readonly body: Readonly<Record<string, unknown>> | undefined
  readonly headers: Headers
}

export interface VendorRequest {
  readonly url: string
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: object
  readonly form?: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

const maxBytes = 256 * 1024
const limitMs = 12_000

/** Fills in the host of the installation. */
export function vendorUrl({ vendor, domain }: VendorAccess, url: string): string {
  return url.replace('{domain}', domain ?? vendor.domain ?? '')
}

/** Sends one request, follows no redirect, and waits 12 s at most. @throws Failure kind `network` */
export async function sendToVendor(access: VendorAccess, request: VendorRequest): Promise<VendorResponse> {
  const { fetch = httpFetch, vendor } = access
  const { json, form, signal } = request
  const body = json === undefined ? form && new URLSearchParams(form).toString() : JSON.stringify(json)
  const type = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json'
  const deadline = AbortSignal.timeout(limitMs)
  try {
    const response = await fetch(vendorUrl(access, request.url), {
      method: request.method ?? 'POST',
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': type }),
        ...vendor.headers,
        ...request.headers,
      },
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
      signal: AbortSignal.any([signal, deadline]),
    })
    const { text, whole } = await readBoundedText(response, maxBytes)
    return { status: response.status, body: whole ? parseObject(text) : undefined, headers: response.headers }
  } catch (error) {
    if (deadline.aborted) throw networkFailure(vendor, `did not answer within ${limitMs / 1_000} s`, error)
    throw thrownFailure(error, { provider: `The sign-in of ${vendor.title}` })
  }
}

function networkFailure({ title }: AccountVendor, reason: string, cause: unknown): Failure {
  return new Failure('provider_error', `The sign-in of ${title} ${reason}.`, { data: { kind: 'network' }, cause })
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined // the caller reports the status; the body may hold tokens
  }
}

/** The failure of a response that is not the expected one. @param doing completes `… refused to` */
export function vendorFailure(
  { vendor }: Pick<VendorAccess, 'vendor'>,
  doing: string,
  { status, body, headers }: VendorResponse,
): Failure {
  const code = errorCode(body)
  const refused = code === 'invalid_grant' || (status >= 400 && status < 500 && status !== 408 && status !== 429)
  const wait = retryAfterMs(headers)
  const because = code === undefined ? `status ${status}` : `${code}, status ${status}`
  const message = refused
    ? `${vendor.title} refused to ${doing} (${because}).`
    : `${vendor.title} could not ${doing} (${status < 300 ? 'it sent no usable answer' : because}); try again later.`
  const kind = refused ? 'auth' : status === 429 ? 'rate_limit' : status < 300 ? 'network' : 'overloaded'
  return new Failure('provider_error', message, {
    data: {
      kind,
      status,
      ...(wait === undefined ? {} : { retryAfterMs: wait }),
      ...(code === undefined ? {} : { providerCode: code }),
    },
  })
}

/** The code of an OAuth error; texts of a vendor may repeat what was sent, so they are left out. */
export function errorCode(body: VendorResponse['body']): string | undefined {
  const error = isRecord(body?.['error']) ? body['error']['code'] : body?.['error']
  return typeof error === 'string' && /^[A-Za-z0-9_.-]{1,64}$/.test(error) ? error : undefined
}
