// Admits the head of an HTTP request: host, origin, token (docs/design/security.md#S11).
// Guarantees: a request that no rule admits is refused before a byte of its body is read.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { Failure } from '../../streams/values/failure.ts'

export interface AdmissionRules {
  /** Compared in constant time. */
  readonly token: string
  /** Allowed values of `Host`: an entry with a port matches exactly, one without matches any port. */
  readonly hosts: readonly string[]
  /** Allowed values of `Origin`, if a request has one. */
  readonly origins: readonly string[]
  /** True if the listener serves pages: then those pages may use it. @default false */
  readonly ownPages?: boolean
}

/** The listener's name in refusals, and the options that admit more. */
export interface ListenerWords {
  /** Such as `proxy`. */
  readonly name: string
  readonly hostOption: string
  readonly originOption: string
}

export interface RequestHead {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly headers: IncomingHttpHeaders
}

export interface Refusal {
  readonly status: number
  readonly failure: Failure
}

export type Admission =
  | { readonly ok: true; readonly cors: Cors }
  /** A browser's CORS preflight. */
  | { readonly ok: 'preflight'; readonly cors: Cors }
  | ({ readonly ok: false; readonly cors: Cors } & Refusal)

/** Headers that let a page of a configured origin read the response; empty for any other request. */
export type Cors = Readonly<Record<string, string>>

export interface AdmitOptions {
  readonly rules: AdmissionRules
  readonly words: ListenerWords
  /** Request headers that a page may send. */
  readonly pageHeaders: string
  /** The token of the request, if it is not in `Authorization`. */
  readonly sent?: string | undefined
  /** True for a target that needs no token. Default: false. */
  readonly isOpen?: boolean
}

export function admitHead(
  { method, headers }: Pick<RequestHead, 'method' | 'headers'>,
  { rules, words, pageHeaders, sent = bearerOf(headers.authorization), isOpen = false }: AdmitOptions,
): Admission {
  const { host = '', origin } = headers
  if (!isListed(host, rules.hosts)) {
    const message = `The host ${quote(host)} is not one of this ${words.name}'s; serve it with ${words.hostOption}.`
    return refusal(403, message)
  }
  const isOwn = rules.ownPages === true && origin !== undefined && URL.parse(origin)?.host === host.toLowerCase()
  if (origin !== undefined && !isOwn && !rules.origins.includes(origin)) {
    const message = `Pages of ${quote(origin)} may not use this ${words.name}; serve it with ${words.originOption}.`
    return refusal(403, message)
  }
  const cors: Cors = origin === undefined ? {} : { 'access-control-allow-origin': origin, vary: 'Origin' }
  if (method === 'OPTIONS' && origin !== undefined)
    return { ok: 'preflight', cors: { ...cors, ...preflight(pageHeaders) } }
  if (!isOpen && !isToken(sent, rules.token)) {
    const message = `The request lacks the ${words.name}'s token: send it as \`Authorization: Bearer <token>\`.`
    return refusal(401, message, cors)
  }
  return { ok: true, cors }
}

/** A refused request; `not_allowed` up to 403, `bad_request` from 404 on. */
export function refusal(status: number, message: string, cors: Cors = {}): Extract<Admission, { ok: false }> {
  const code = status < 404 ? 'not_allowed' : 'bad_request'
  return { ok: false, status, failure: new Failure(code, message), cors }
}

/** The refusal of a body that is not JSON; undefined if its type says that it is. */
export function refuseOtherType(
  headers: IncomingHttpHeaders,
  path: string,
  cors: Cors,
): Extract<Admission, { ok: false }> | undefined {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  return type === 'application/json' ? undefined : refusal(415, `${path} takes application/json only.`, cors)
}

function preflight(pageHeaders: string): Cors {
  return {
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': pageHeaders,
    'access-control-allow-private-network': 'true',
    'access-control-max-age': '600',
  }
}

/** True if `Host` is one of the names. */
export function isListed(host: string, hosts: readonly string[]): boolean {
  const name = host.toLowerCase()
  return name !== '' && (hosts.includes(name) || hosts.includes(name.replace(/:\d+$/, '')))
}

/** The token of an `Authorization` header; empty if it has none. */
export function bearerOf(authorization: string | undefined): string {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? ''
}

/** Compares digests, so that the time does not depend on the token or its length. */
export function isToken(sent: string, token: string): boolean {
  return timingSafeEqual(digest(sent), digest(token)) && sent !== ''
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 200))
}
