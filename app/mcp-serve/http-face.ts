// Serves MCP over HTTP on loopback: admits each request, and hands it to the handler.
// Guarantees: unsubscribing stops listening and ends every request.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { map } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure, describeThrown } from '../../lib/streams/values/failure.ts'
import { refusal } from '../../lib/server/http/admit-head.ts'
import type { Refusal } from '../../lib/server/http/admit-head.ts'
import { refuse } from '../../lib/server/http/answer-json.ts'
import { listenHttp } from '../../lib/server/http/http-listener.ts'
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

/** Emits its address. Fails with `server_running` if the port is taken, `bad_request` for an address it cannot use. */
export function httpFace({ port, host, gate, fetch }: HttpFaceOptions): Observable<HttpFace> {
  const listener$ = listenHttp({
    ...{ name: 'rxpi mcp serve', port, host, hosts: [], maxConnections: mostConnections },
    onRequest: (incoming, response, hosts) => {
      const refused = gate.refusalOf(incoming.headers, hosts) ?? refuseOtherPath(incoming)
      if (refused === undefined) answer(incoming, response, fetch)
      else refuse(response, refused.failure, {}, refused.status).subscribe()
    },
  })
  return listener$.pipe(map(({ url }) => ({ url: `${url}${pathOfMcp}` })))
}

function refuseOtherPath({ url = '' }: IncomingMessage): Refusal | undefined {
  return url.split('?')[0] === pathOfMcp ? undefined : refusal(404, `This address serves only ${pathOfMcp}.`)
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
      refuse(response, new Failure('internal', describeThrown(error)), {}, 500).subscribe()
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
