// Decides on the head of a request whether the proxy answers it, before it reads a byte of the body.
// Guarantees: a request that no rule admits is refused.
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
}

export interface RequestHead {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly headers: IncomingHttpHeaders
}

export type Admission =
  | { readonly ok: true; readonly cors: Cors }
  /** A browser's CORS preflight. */
  | { readonly ok: 'preflight'; readonly cors: Cors }
  | { readonly ok: false; readonly status: number; readonly failure: Failure; readonly cors: Cors }

/** Headers that let a page of a configured origin read the response; empty for any other request. */
export type Cors = Readonly<Record<string, string>>

/** The path for POST requests. */
export const streamPath = '/v1/stream'

export function admitRequest({ method, target, headers }: RequestHead, rules: AdmissionRules): Admission {
  const refuse = (status: number, message: string, cors: Cors = {}): Admission => {
    const code = status < 404 ? 'not_allowed' : 'bad_request'
    return { ok: false, status, failure: new Failure(code, message), cors }
  }
  const { host = '', origin } = headers
  if (!isListed(host, rules.hosts)) {
    return refuse(403, `The host ${quote(host)} is not one of this proxy's; serve it with --proxy-host.`)
  }
  if (origin !== undefined && !rules.origins.includes(origin)) {
    return refuse(403, `Pages of ${quote(origin)} may not use this proxy; serve it with --proxy-origin.`)
  }
  const cors: Cors = origin === undefined ? {} : { 'access-control-allow-origin': origin, vary: 'Origin' }
  if (method === 'OPTIONS' && origin !== undefined) return { ok: 'preflight', cors: { ...cors, ...preflight } }
  if (!isBearer(headers.authorization, rules.token)) {
    return refuse(401, "The request lacks the proxy's token: send it as `Authorization: Bearer <token>`.", cors)
  }
  if (target.split('?')[0] !== streamPath) return refuse(404, `This proxy serves only ${streamPath}.`, cors)
  if (method !== 'POST') return refuse(405, `${streamPath} takes POST only.`, cors)
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') return refuse(415, `${streamPath} takes application/json only.`, cors)
  return { ok: true, cors }
}

const preflight: Cors = {
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'authorization, content-type',
  'access-control-allow-private-network': 'true',
  'access-control-max-age': '600',
}

/** True if `Host` is one of the names. */
export function isListed(host: string, hosts: readonly string[]): boolean {
  const name = host.toLowerCase()
  return name !== '' && (hosts.includes(name) || hosts.includes(name.replace(/:\d+$/, '')))
}

/** Compares digests, so that the time does not depend on the token or its length. */
export function isBearer(authorization: string | undefined, token: string): boolean {
  const [, sent = ''] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? []
  return timingSafeEqual(digest(sent), digest(token)) && sent !== ''
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 200))
}
