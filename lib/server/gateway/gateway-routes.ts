// Declares what a path of the gateway answers, and admits requests to it.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Observable } from 'rxjs'
import { admitHead, refusal } from '../http/admit-head.ts'
import type { Admission, AdmissionRules, Cors, RequestHead } from '../http/admit-head.ts'
import { tokenInProtocols } from '../protocol/gateway-protocols.ts'

/** The answer of one path to one method. */
export interface Route {
  readonly method: 'GET' | 'POST'
  /** True if it needs no token: what it returns is no secret, and it changes nothing. Default: false. */
  readonly isOpen?: boolean
  /** Completes when the response has ended; fails with a Failure, which is answered. Unsubscribed if the client leaves. */
  answer(incoming: IncomingMessage, response: ServerResponse, cors: Cors): Observable<never>
}

/** By path. */
export type Routes = Readonly<Record<string, Route>>

/** The path of the WebSocket. */
export const socketPathOfHttp = '/ws'

const words = { name: 'gateway', hostOption: '--http-host', originOption: '--http-origin' }
const pageHeaders = 'authorization, content-type, last-event-id'

export type Admitted = { readonly route: Route; readonly cors: Cors } | Exclude<Admission, { ok: true }>

/** Finds the route of an admitted request. */
export function admitToRoute(
  { method, target, headers }: RequestHead,
  routes: Routes,
  rules: AdmissionRules,
): Admitted {
  const path = target.split('?')[0] ?? ''
  const route = Object.hasOwn(routes, path) ? routes[path] : undefined
  const isOpen = route?.isOpen === true
  const admission = admitHead({ method, headers }, { rules, words, pageHeaders, isOpen })
  if (admission.ok !== true) return admission
  const { cors } = admission
  if (path === socketPathOfHttp) return refusal(426, `${socketPathOfHttp} takes WebSockets only.`, cors)
  if (route === undefined) return refusal(404, `The gateway has no ${JSON.stringify(path.slice(0, 200))}.`, cors)
  // Node sends the response to HEAD without its body
  if (method === route.method || (method === 'HEAD' && route.method === 'GET')) return { route, cors }
  return refusal(405, `${path} takes ${route.method} only.`, cors)
}

/** Admits the request for a WebSocket, whose token is in `Authorization` or in a subprotocol. */
export function admitUpgrade({ method, target, headers }: RequestHead, rules: AdmissionRules): Admission {
  const offered = tokenInProtocols(headers['sec-websocket-protocol'])
  const admission = admitHead({ method, headers }, { rules, words, pageHeaders, sent: offered })
  if (admission.ok !== true || target.split('?')[0] === socketPathOfHttp) return admission
  return refusal(404, `WebSockets connect to ${socketPathOfHttp}.`)
}
