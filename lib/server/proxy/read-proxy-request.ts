// Reads a request of the proxy and checks it; an unknown field is refused by name.
import type { IncomingMessage } from 'node:http'
import type { Observable } from 'rxjs'
import { describeProblem } from '../../streams/schema/compiled-validator.ts'
import { Failure } from '../../streams/values/failure.ts'
import { readBody } from '../http/read-body.ts'
import { ProxyRequest as validate } from './generated/proxy-validators.js'
import type { ProxyRequest } from './proxy-schemas.ts'

/** Emits the request and completes; fails as `readBody`, and with `bad_request` that names the field. */
export function readProxyRequest(incoming: IncomingMessage): Observable<ProxyRequest> {
  return readBody(incoming, parseRequest)
}

function parseRequest(value: unknown): ProxyRequest {
  if (!validate(value)) throw new Failure('bad_request', `The request is invalid: ${describeProblem(validate)}.`)
  const request = value as ProxyRequest // checked above
  const bare = request.messages.findIndex((message) => message.role === 'toolResult' && !Array.isArray(message.content))
  if (bare === -1) return request
  throw new Failure('bad_request', `The request is invalid: /messages/${bare}/content is missing.`)
}
