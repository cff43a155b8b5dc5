// Reads a request's body up to a limit and checks it; an unknown field is refused by name.
import type { IncomingMessage } from 'node:http'
import { Observable } from 'rxjs'
import { describeProblem } from '../../streams/schema/compiled-validator.ts'
import { Failure } from '../../streams/values/failure.ts'
import { describeJsonFault } from '../../streams/values/json-fault.ts'
import { ProxyRequest as validate } from './generated/proxy-validators.js'
import type { ProxyRequest } from './proxy-schemas.ts'

/** Bytes. */
export const longestBody = 16 * 1024 * 1024

/**
 * Emits the request and completes. Fails with `message_too_large` as soon as the limit is passed, `bad_json`, or
 * `bad_request` that names the field. Stores nothing beyond the limit.
 */
export function readProxyRequest(incoming: IncomingMessage): Observable<ProxyRequest> {
  return new Observable((subscriber) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length
      if (bytes > longestBody) subscriber.error(tooLarge())
      else chunks.push(chunk)
    }
    const onEnd = (): void => {
      try {
        subscriber.next(parseRequest(Buffer.concat(chunks).toString()))
        subscriber.complete()
      } catch (error) {
        subscriber.error(Failure.from(error))
      }
    }
    const onError = (): void => {
      subscriber.error(new Failure('disconnected', 'The connection ended before the request was complete.'))
    }
    if (Number(incoming.headers['content-length'] ?? 0) > longestBody) subscriber.error(tooLarge())
    else incoming.on('data', onData).on('end', onEnd).on('error', onError)
    return () => incoming.off('data', onData).off('end', onEnd)
  })
}

function parseRequest(body: string): ProxyRequest {
  const value = parseJson(body)
  if (!validate(value)) throw new Failure('bad_request', `The request is invalid: ${describeProblem(validate)}.`)
  const request = value as ProxyRequest // checked above
  const bare = request.messages.findIndex((message) => message.role === 'toolResult' && !Array.isArray(message.content))
  if (bare === -1) return request
  throw new Failure('bad_request', `The request is invalid: /messages/${bare}/content is missing.`)
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw new Failure('bad_json', `The request's body is not accepted: ${describeJsonFault(body)}`)
  }
}

function tooLarge(): Failure {
  return new Failure('message_too_large', `The request's body is larger than ${longestBody} bytes.`)
}
