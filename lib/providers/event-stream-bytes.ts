// Only an event stream is read as one; anything else that answers 200 is named, never taken for an empty answer.
import { Failure } from '../streams/failure.ts'
import { boundedText } from './bounded-text.ts'

const longestJson = 16 * 1024 * 1024

/**
 * The bytes of a 200 answer's event stream, as they come. A JSON body — from a server that does not stream — is given as
 * one event that holds it. A body of another type rejects with kind `bad_request`; a missing type counts as an event stream.
 * Returning early cancels the body, and with it the request.
 */
export async function* eventStreamBytes(provider: string, response: Response): AsyncGenerator<Uint8Array> {
  const type = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (response.body === null || response.status === 204) throw noEventStream(provider, 'an empty body')
  if (type === 'application/json') yield await jsonEvent(provider, response)
  else if (type === '' || type === 'text/event-stream') yield* response.body
  else {
    await response.body.cancel()
    throw noEventStream(provider, `content of type "${type}"`)
  }
}

async function jsonEvent(provider: string, response: Response): Promise<Uint8Array> {
  const { text, whole } = await boundedText(response, longestJson)
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
