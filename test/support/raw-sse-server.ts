// A real HTTP server on loopback that sends exact bytes, even invalid ones, and records requests.
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A piece of the body, or a condition to wait for before the next one. */
export type RawStep = string | Uint8Array | Promise<unknown>

export interface RawAnswer {
  /** @default 200 */
  readonly status?: number
  /** @default {'content-type': 'text/event-stream'} */
  readonly headers?: Readonly<Record<string, string>>
  /** Written one by one, each handed to the socket before the next. @default none */
  readonly body?: readonly RawStep[]
  /**
   * `end`: properly; `cut`: the socket is closed in the middle of the body; `reset`: the same with RST; `stall`: nothing more,
   * the body stays open; `silent`: not even the headers are sent. @default 'end'
   */
  readonly ending?: 'end' | 'cut' | 'reset' | 'stall' | 'silent'
}

export interface RawRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** The body as JSON. */
  json(): unknown
  /** Resolves, with the time (`performance.now()`), if the client closes the socket before it has the whole answer. */
  readonly abandoned: Promise<number>
  /** Resolves when all of the answer's body has been written, before its ending. */
  readonly written: Promise<unknown>
}

export interface RawSseServer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  /** In order of arrival. */
  readonly requests: readonly RawRequest[]
  /** The number of sockets that clients have opened so far. */
  readonly sockets: number
  /** Resolves with the request of that number, from 0, as soon as it arrived. */
  request(number: number): Promise<RawRequest>
}

/** Answers each request with the result of `answer`; `await using` closes it with every socket. */
export async function rawSseServer(
  answer: RawAnswer | ((request: RawRequest, number: number) => RawAnswer),
): Promise<RawSseServer> {
  const requests: RawRequest[] = []
  const waiting = new Set<() => void>()
  let sockets = 0
  const server = createServer((incoming, response) => {
    void receive(incoming, response).then(({ request, written }) => {
      const number = requests.push(request) - 1
      for (const wake of waiting) wake()
      return send(response, typeof answer === 'function' ? answer(request, number) : answer, written)
    })
  })
  server.on('connection', () => sockets++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    get sockets() {
      return sockets
    },
    request: async (number) => {
      for (;;) {
        const found = requests[number]
        if (found !== undefined) return found
        await new Promise<void>((resolve) => waiting.add(resolve))
      }
    },
    [Symbol.asyncDispose]: () => closed(server),
  }
}

async function receive(incoming: IncomingMessage, response: ServerResponse) {
  const abandoned = new Promise<number>((resolve) => {
    response.once('close', () => {
      if (!response.writableFinished) resolve(performance.now())
    })
  })
  const chunks: Buffer[] = []
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk)
  const body = Buffer.concat(chunks).toString()
  const written = Promise.withResolvers<undefined>()
  const { method = '', url: path = '', headers } = incoming
  const request: RawRequest = {
    method,
    path,
    headers,
    body,
    json: () => JSON.parse(body) as unknown,
    abandoned,
    written: written.promise,
  }
  return { request, written: () => written.resolve(undefined) }
}

async function send(response: ServerResponse, answer: RawAnswer, written: () => void): Promise<void> {
  const { status = 200, headers = { 'content-type': 'text/event-stream' }, body = [], ending = 'end' } = answer
  if (ending === 'silent') return
  response.writeHead(status, headers)
  response.flushHeaders()
  for (const step of body) {
    if (step instanceof Promise) await step
    else await handedOn(response, step)
    if (response.destroyed) return
  }
  written()
  if (ending === 'end') response.end()
  if (ending === 'cut') response.socket?.destroy()
  if (ending === 'reset') response.socket?.resetAndDestroy()
}

async function closed(server: Server): Promise<void> {
  const done = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeAllConnections()
  await done
}

/** Resolves when the socket has taken the piece or is closed. */
function handedOn(response: ServerResponse, piece: string | Uint8Array): Promise<unknown> {
  return new Promise((resolve) => response.write(piece, resolve))
}
