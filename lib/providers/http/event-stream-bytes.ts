// Emits the bytes of a 200 response's event stream, and fails for any other kind of body.
import { concatMap, defer } from 'rxjs'
import type { Observable } from 'rxjs'
import { isTransportResponse } from '../../host/http/http-fetch.ts'
import { Failure } from '../../streams/values/failure.ts'
import { jsonText } from '../../streams/values/json.ts'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import { readBoundedText } from './guarded-fetch.ts'

const maxJsonBytes = 16 * 1024 * 1024

const serverSentEvents = 'text/event-stream'

/**
 * Sends a request, and emits the bytes of its response as `eventStreamBytes` does. Unsubscribing aborts the signal, or
 * cancels the body.
 */
export function sendForBytes(
  provider: string,
  send: (signal: AbortSignal) => Promise<Response>,
  mediaType?: string,
): Observable<Uint8Array> {
  return fromAbortable(send).pipe(concatMap((response) => eventStreamBytes(provider, response, mediaType)))
}

/**
 * Emits the bytes of the event stream as they arrive, to one subscriber. A JSON body, from a server that does not
 * stream, becomes one server-sent event. A body of another type fails with kind `bad_request`; a missing type counts as
 * an event stream. Buffers nothing but a JSON body. Unsubscribing cancels the body, and with it the request.
 * @param mediaType of the stream
 */
export function eventStreamBytes(
  provider: string,
  response: Response,
  mediaType = serverSentEvents,
): Observable<Uint8Array> {
  return defer(() => {
    const { body, status } = response
    const type = mediaTypeOf(response.headers.get('content-type'))
    if (body === null || status === 204) throw noEventStream(provider, 'an empty body')
    if (type === 'application/json' && mediaType === serverSentEvents)
      return fromAbortable((signal) => jsonEvent(provider, response, signal))
    if (type === '' || type === mediaType) return bytesOf(response, body)
    return fromAbortable(async () => {
      await body.cancel()
      throw noEventStream(provider, `content of type "${type}"`)
    })
  })
}

/** The media type of a `content-type` in lower case, without its parameters; empty if there is none. */
function mediaTypeOf(contentType: string | null): string {
  return contentType?.split(';')[0]?.trim().toLowerCase() ?? ''
}

/** Reads the transport's own stream if the response has one: a web stream costs a promise for each chunk. */
function bytesOf(response: Response, body: ReadableStream<Uint8Array>): Observable<Uint8Array> {
  return isTransportResponse(response) ? response.bytes$ : fromAbortable((signal) => chunksOf(body, signal))
}

/** Cancels on abort at once; the stream's own iterator would wait for the next chunk first. */
async function* chunksOf(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  const cancel = (): void => {
    reader.cancel().catch(() => undefined) // the subscriber has left and takes no error
  }
  signal.addEventListener('abort', cancel, { once: true })
  for (let step = await reader.read(); !step.done; step = await reader.read()) yield step.value
}

async function jsonEvent(provider: string, response: Response, signal: AbortSignal): Promise<Uint8Array> {
  const { text, whole } = await readBoundedText(response, maxJsonBytes, signal)
  if (!whole) throw noEventStream(provider, 'a JSON document of more than 16 MiB')
  try {
    return new TextEncoder().encode(`data: ${jsonText(JSON.parse(text))}\n\n`)
  } catch {
    throw noEventStream(provider, 'JSON that cannot be parsed')
  }
}

function noEventStream(provider: string, what: string): Failure {
  const message = `${provider} answered with ${what} instead of an event stream: check the base URL, which should end in the API's path (often /v1).`
  return new Failure('provider_error', message, { data: { kind: 'bad_request' } })
}
