// Only an event stream is read as one; anything else that answers 200 is named, never taken for an empty answer.
import { defer } from 'rxjs'
import type { Observable } from 'rxjs'
import { directBodies } from '../../host/http/direct-bodies.ts'
import { gatheredBody } from '../../host/http/gathered-body.ts'
import { Failure } from '../../streams/values/failure.ts'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import { boundedText } from './bounded-text.ts'

const longestJson = 16 * 1024 * 1024

/**
 * The bytes of a 200 answer's event stream, as they come (see `gatheredBody`); for one subscriber. A JSON body — from a server that does not
 * stream — is given as one event that holds it. A body of another type fails with kind `bad_request`; a missing type counts as
 * an event stream. Buffers nothing. Unsubscribing cancels the body, and with it the request.
 */
export function eventStreamBytes(provider: string, response: Response): Observable<Uint8Array> {
  return defer(() => {
    const { body, status } = response
    const type = mediaType(response.headers.get('content-type'))
    if (body === null || status === 204) throw noEventStream(provider, 'an empty body')
    if (type === 'application/json') return fromAbortable((signal) => jsonEvent(provider, response, signal))
    if (isEventStream(type)) return bytesOf(response, body)
    return fromAbortable(async () => {
      await body.cancel()
      throw noEventStream(provider, `content of type "${type}"`)
    })
  })
}

/** Whether a body of this type is read as it comes. */
export function isEventStream(type: string): boolean {
  return type === '' || type === 'text/event-stream'
}

/** Of a `content-type`, in lower case and without its parameters; empty where there is none. */
export function mediaType(contentType: string | null | undefined): string {
  return contentType?.split(';')[0]?.trim().toLowerCase() ?? ''
}

/** As the system gives them where it can be had: a promise a chunk is what most of the time of a slow answer would go to. */
function bytesOf(response: Response, body: ReadableStream<Uint8Array>): Observable<Uint8Array> {
  const direct = directBodies.get(response)
  return direct === undefined ? fromAbortable((signal) => piecesOf(body, signal)) : gatheredBody(direct)
}

/** The stream's own iterator would wait for the next piece before it is left. */
async function* piecesOf(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  const leave = (): void => {
    reader.cancel().catch(() => undefined) // who left hears nothing more
  }
  signal.addEventListener('abort', leave, { once: true })
  for (let step = await reader.read(); !step.done; step = await reader.read()) yield step.value
}

async function jsonEvent(provider: string, response: Response, signal: AbortSignal): Promise<Uint8Array> {
  const { text, whole } = await boundedText(response, longestJson, signal)
  if (!whole) throw noEventStream(provider, 'a JSON document of more than 16 MiB')
  try {
    return new TextEncoder().encode(`data: ${JSON.stringify(JSON.parse(text))}\n\n`)
  } catch {
    throw noEventStream(provider, 'JSON that cannot be parsed')
  }
}

function noEventStream(provider: string, what: string): Failure {
  const message = `${provider} answered with ${what} where an event stream was expected: check the base URL, it should end in the API's path (often /v1).`
  return new Failure('provider_error', message, { data: { kind: 'bad_request' } })
}
