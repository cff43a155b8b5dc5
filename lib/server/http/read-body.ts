// Reads the body of an HTTP request as JSON, up to a limit.
import type { IncomingMessage } from 'node:http'
import { Observable } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import { describeJsonFault } from '../../streams/values/json-fault.ts'

/** Bytes. */
export const longestBody = 16 * 1024 * 1024

/**
 * Emits what `parse` makes of the body's value, and completes. Fails with `message_too_large` as soon as the limit is
 * passed, with `bad_json`, and with what `parse` throws. Stores nothing beyond the limit.
 */
export function readBody<Value>(incoming: IncomingMessage, parse: (value: unknown) => Value): Observable<Value> {
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
        subscriber.next(parse(parseJson(Buffer.concat(chunks).toString())))
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
