// Sends the requests of a remote server's transport: bounds its answers and notices a lost connection.
// Guarantees: a message of more than `messageBytes` ends the response with an error before it is held in full.
import { httpFetch } from '../../host/http/http-fetch.ts'
import { describeThrown } from '../../streams/values/failure.ts'

/** Bytes of one message of a server. */
export const messageBytes = 16 * 2 ** 20

export interface RemoteFetchOptions {
  /** The server cannot be reached, or does not know the session any more. */
  onLost(reason: string): void
  /** Default: `httpFetch`. */
  readonly fetch?: typeof globalThis.fetch
  readonly limit?: number
}

/**
 * A `fetch` for the SDK's transports, which follow redirects themselves and within one origin only. A request that fails
 * rejects as it does without this, after `onLost`; one that was aborted only rejects.
 */
export function remoteFetch({
  onLost,
  fetch = httpFetch,
  limit = messageBytes,
}: RemoteFetchOptions): typeof globalThis.fetch {
  return async (input, init) => {
    let response: Response
    try {
      response = await fetch(input, init)
    } catch (error) {
      if (init?.signal?.aborted !== true) onLost(`it cannot be reached: ${describeThrown(error)}`)
      throw error
    }
    if (response.status === 404 && new Headers(init?.headers).has('mcp-session-id')) onLost('it has ended the session')
    return boundMessages(response, limit)
  }
}

/** The response with a body that fails at a message over the limit. */
function boundMessages(response: Response, limit: number): Response {
  const { body, status, statusText, headers } = response
  if (body === null) return response
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true
  const counter = isStream ? eventBytes() : allBytes()
  const bounded = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      if (counter(chunk) <= limit) controller.enqueue(chunk)
      else controller.error(new Error(`it sent a message of more than ${limit / 2 ** 20} MiB`))
    },
  })
  return new Response(body.pipeThrough(bounded), { status, statusText, headers })
}

type Counter = (chunk: Uint8Array) => number

function allBytes(): Counter {
  let bytes = 0
  return (chunk) => (bytes += chunk.length)
}

const lineFeed = 10
const carriageReturn = 13

/** Bytes since the last empty line, which ends an event: the most of any event that the chunk has a part of. */
function eventBytes(): Counter {
  let bytes = 0
  let lineBytes = 0
  let last = lineFeed
  const add = (chunk: Uint8Array, from: number, end: number): void => {
    bytes += end - from
    lineBytes += end - from
    if (end > from) last = chunk[end - 1] ?? lineFeed
  }
  return (chunk) => {
    let most = 0
    let from = 0
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, from)) {
      add(chunk, from, end)
      most = Math.max(most, bytes)
      if (lineBytes === 0 || (lineBytes === 1 && last === carriageReturn)) bytes = 0
      lineBytes = 0
      from = end + 1
    }
    add(chunk, from, chunk.length)
    return Math.max(most, bytes)
  }
}
