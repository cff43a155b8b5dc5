// A mock of vendors' sign-in servers on this machine: every https address of theirs is answered here.
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { httpFetch } from '../../lib/host/http/http-fetch.ts'

export interface VendorCall {
  /** `POST auth.openai.com/oauth/token`. */
  readonly route: string
  readonly headers: IncomingMessage['headers']
  /** Fields of a form or of a JSON object. */
  readonly fields: Readonly<Record<string, unknown>>
}

export type VendorReply =
  | { readonly status?: number; readonly json: object; readonly headers?: Readonly<Record<string, string>> }
  | { readonly status?: number; readonly html: string }
  /** The connection is cut without a response. */
  | { readonly cut: true }

export type VendorRoutes = Readonly<Record<string, (call: VendorCall) => VendorReply>>

export interface VendorServer extends AsyncDisposable {
  readonly fetch: typeof globalThis.fetch
  /** The port on this machine, where `/host/path` stands for an address of a vendor. */
  readonly port: string
  readonly calls: VendorCall[]
}

export async function startVendorServer(routes: VendorRoutes): Promise<VendorServer> {
  const calls: VendorCall[] = []
  const server = createServer((request, response) => {
    void answer(request, response, { routes, calls })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    calls,
    port: String(port),
    fetch: (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input)
      return httpFetch(`http://127.0.0.1:${port}/${url.host}${url.pathname}${url.search}`, init)
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { routes, calls }: { readonly routes: VendorRoutes; readonly calls: VendorCall[] },
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  const isJson = request.headers['content-type'] === 'application/json'
  const fields = isJson ? (JSON.parse(text) as Record<string, unknown>) : Object.fromEntries(new URLSearchParams(text))
  const route = `${request.method ?? ''} ${(request.url ?? '').slice(1).split('?')[0] ?? ''}`
  const call = { route, headers: request.headers, fields }
  calls.push(call)
  const reply = routes[route]?.(call) ?? { status: 500, json: { error: `no route ${route}` } }
  if ('cut' in reply) {
    request.socket.destroy()
    return
  }
  const { status = 200 } = reply
  if ('html' in reply) response.writeHead(status, { 'content-type': 'text/html' }).end(reply.html)
  else
    response.writeHead(status, { 'content-type': 'application/json', ...reply.headers }).end(JSON.stringify(reply.json))
}

/** A token in the form of a JWT; its signature is none. */
export function unsignedToken(claims: object): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}.c2ln`
}
