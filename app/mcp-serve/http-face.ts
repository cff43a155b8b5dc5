// Serves MCP over HTTP on loopback: admits each request, and hands it to the handler.
// Guarantees: unsubscribing stops listening and ends every request.
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { Observable } from 'rxjs'
import { Failure, describeThrown } from '../../lib/streams/values/failure.ts'
import type { McpGate } from '../../lib/server/proxy/mcp-gate.ts'

export interface HttpFaceOptions {
  /** 0 = any that is free. */
  readonly port: number
  /** A name of loopback. */
  readonly host: string
  readonly gate: McpGate
  fetch(request: Request): Promise<Response>
}

export interface HttpFace {
  /** `http://127.0.0.1:8787/mcp`. */
  readonly url: string
}

const pathOfMcp = '/mcp'
const mostConnections = 64
/** Milliseconds for the head of a request and for the whole of it, bytes of the head. */
const limits = { headersTimeout: 10_000, requestTimeout: 60_000, maxHeaderSize: 16_384 }

/** Emits its address. Fails with `server_running` if the port is taken, `bad_request` for an address it cannot use. */
export function httpFace({ port, host, gate, fetch }: HttpFaceOptions): Observable<HttpFace> {
  return new Observable((subscriber) => {
    const server = createServer(limits, (incoming, response) => {
      const refusal = gate.refusalOf(incoming.headers, { host, port: own() })
      const target = incoming.url?.split('?')[0]
      if (refusal !== undefined) refuse(response, refusal.status, refusal.failure)
      else if (target === pathOfMcp) answer(incoming, response, fetch)
      else refuse(response, 404, new Failure('bad_request', `This address serves only ${pathOfMcp}.`))
    })
    const own = (): number => (server.address() as AddressInfo).port // it listens on TCP
    server.maxConnections = mostConnections
    server.on('error', (error: NodeJS.ErrnoException) => {
      subscriber.error(cannotListen(error, `${host}:${port}`))
    })
    server.listen({ host, port }, () => {
      subscriber.next({ url: `http://${host.includes(':') ? `[${host}]` : host}:${own()}${pathOfMcp}` })
    })
    return () => {
      server.close()
      server.closeAllConnections()
    }
  })
}

function refuse(response: ServerResponse, status: number, { code, message }: Failure): void {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' })
  response.end(JSON.stringify({ error: { code, message } }))
}

/** The end of the connection aborts the request. */
function answer(incoming: IncomingMessage, response: ServerResponse, fetch: HttpFaceOptions['fetch']): void {
  const gone = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) gone.abort()
  })
  void fetch(toRequest(incoming, gone.signal)).then(
    ({ status, headers, body }) => {
      response.writeHead(status, Object.fromEntries(headers))
      if (body === null) response.end()
      else
        Readable.fromWeb(body as ReadableStream)
          .on('error', () => response.destroy())
          .pipe(response)
    },
    (error: unknown) => {
      if (response.headersSent || response.destroyed) response.destroy()
      else refuse(response, 500, new Failure('internal', describeThrown(error)))
    },
  )
}

function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
  const { method = 'GET', url = '/', headers, rawHeaders } = incoming
  const pairs: [string, string][] = []
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    pairs.push([rawHeaders[index] ?? '', rawHeaders[index + 1] ?? ''])
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return new Request(`http://${headers.host ?? 'localhost'}${url}`, {
    method,
    headers: pairs,
    signal,
    ...(hasBody ? { body: Readable.toWeb(incoming) as BodyInit, duplex: 'half' } : {}),
  })
}

function cannotListen(error: NodeJS.ErrnoException, address: string): Failure {
  return error.code === 'EADDRINUSE'
    ? new Failure('server_running', `Another program listens at ${address}; choose another port.`)
    : new Failure('bad_request', `rxpi cannot listen at ${address}: ${describeThrown(error)}.`, { cause: error })
}
