// Answers an HTTP request with a refusal or a short body, and ends its connection.
import type { ServerResponse } from 'node:http'
import { EMPTY, Observable } from 'rxjs'
import { failureShape } from '../../streams/values/failure.ts'
import type { Failure } from '../../streams/values/failure.ts'
import type { Cors } from './admit-head.ts'

export const commonHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/** Answers `{error: {code, message, data?}}`; a response that has begun is cut. */
export function refuse(
  response: ServerResponse,
  failure: Failure,
  cors: Cors,
  status = statusOf(failure),
): Observable<never> {
  if (response.headersSent) return respond(response, status, cors) // the response has begun: the connection is closed
  const { code, message, data } = failureShape(failure)
  const wait = failure.data.retryAfterMs
  const headers = {
    ...cors,
    'content-type': 'application/json; charset=utf-8',
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    ...(wait === undefined ? {} : { 'retry-after': String(Math.ceil(wait / 1000)) }),
  }
  return respond(response, status, headers, JSON.stringify({ error: { code, message, ...(data && { data }) } }))
}

/** Answers 200 with the value as JSON. */
export function answerJson(response: ServerResponse, cors: Cors, value: object): Observable<never> {
  const headers = { ...cors, 'content-type': 'application/json; charset=utf-8' }
  return respond(response, 200, headers, JSON.stringify(value))
}

/** Does not read the rest of the request's body: the connection ends with the response. */
export function respond(response: ServerResponse, status: number, headers: Cors, body = ''): Observable<never> {
  const length: Cors = status === 204 ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  if (response.headersSent) response.destroy()
  else response.writeHead(status, { ...commonHeaders, ...headers, ...length, connection: 'close' }).end(body)
  return EMPTY
}

/** Ends the answer when the client disconnects. */
export function untilClosed(answer$: Observable<never>, response: ServerResponse): Observable<never> {
  return new Observable((subscriber) => {
    const onClose = (): void => {
      subscriber.complete()
    }
    response.on('close', onClose)
    subscriber.add(() => response.off('close', onClose))
    subscriber.add(answer$.subscribe(subscriber))
  })
}

function statusOf({ code }: Failure): number {
  if (code === 'message_too_large') return 413
  if (code === 'overloaded') return 503
  if (code === 'bad_json' || code === 'bad_request') return 400
  return code === 'provider_error' ? 502 : 500
}
