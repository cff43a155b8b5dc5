// Who may ask is decided on the head of a request alone, before a byte of its body is read; what no rule admits is refused.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { Failure } from '../../streams/values/failure.ts'

export interface AdmissionRules {
  /** Compared in constant time. */
  readonly token: string
  /** What `Host` may say: with a port exactly that, without one any port. */
  readonly hosts: readonly string[]
  /** What `Origin` may say, where there is one. */
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
  /** A browser asks whether it may ask. */
  | { readonly ok: 'preflight'; readonly cors: Cors }
  | { readonly ok: false; readonly status: number; readonly failure: Failure; readonly cors: Cors }

/** Headers that let a page of a configured origin read the answer; none for anybody else. */
export type Cors = Readonly<Record<string, string>>

/** Where deltas are asked for, by POST. */
export const streamPath = '/v1/stream'

export function admitRequest({ method, target, headers }: RequestHead, rules: AdmissionRules): Admission {
  const refused = (status: number, message: string, cors: Cors = {}): Admission => {
    const code = status < 404 ? 'not_allowed' : 'bad_request'
    return { ok: false, status, failure: new Failure(code, message), cors }
  }
  const { host = '', origin } = headers
  if (!isListed(host, rules.hosts)) {
    return refused(403, `The host ${shown(host)} is not one of this proxy's; serve it with --proxy-host.`)
  }
  if (origin !== undefined && !rules.origins.includes(origin)) {
    return refused(403, `Pages of ${shown(origin)} may not use this proxy; serve it with --proxy-origin.`)
  }
  const cors: Cors = origin === undefined ? {} : { 'access-control-allow-origin': origin, vary: 'Origin' }
  if (method === 'OPTIONS' && origin !== undefined) return { ok: 'preflight', cors: { ...cors, ...preflight } }
  if (!isBearer(headers.authorization, rules.token)) {
    return refused(401, "The request has not the proxy's token: send it as `Authorization: Bearer <token>`.", cors)
  }
  if (target.split('?')[0] !== streamPath) return refused(404, `There is only ${streamPath} here.`, cors)
  if (method !== 'POST') return refused(405, `${streamPath} takes POST only.`, cors)
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') return refused(415, `${streamPath} takes application/json only.`, cors)
  return { ok: true, cors }
}

const preflight: Cors = {
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'authorization, content-type',
  'access-control-allow-private-network': 'true',
  'access-control-max-age': '600',
}

function isListed(host: string, hosts: readonly string[]): boolean {
  const given = host.toLowerCase()
  return given !== '' && (hosts.includes(given) || hosts.includes(given.replace(/:\d+$/, '')))
}

/** Digests have one length, so that the comparison says nothing of the token's either. */
function isBearer(authorization: string | undefined, token: string): boolean {
  const [, given = ''] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? []
  return timingSafeEqual(digest(given), digest(token)) && given !== ''
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 200))
}
