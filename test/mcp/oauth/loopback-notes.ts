// Serves an MCP server with its authorization server on 127.0.0.1; its page agrees at once.
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { McpServer, createMcpHandler } from '@modelcontextprotocol/server'
import { mockAuthorization } from './mock-authorization.ts'
import type { Mock } from './mock-authorization.ts'

export interface LoopbackNotes extends AsyncDisposable {
  /** The address of the MCP server, which has the tool `read`. */
  readonly url: string
  readonly mock: Mock
}

export async function loopbackNotes(): Promise<LoopbackNotes> {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'notes', version: '1' })
    server.registerTool('read', { description: 'Reads.' }, () => ({ content: [{ type: 'text', text: 'a note' }] }))
    return server
  })
  const served = { answer: (_request: Request): Promise<Response> => Promise.reject(new Error('not listening')) }
  const http = createServer((incoming, outgoing) => {
    void toRequest(incoming).then(async (request) => send(outgoing, await served.answer(request)))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const mock = mockAuthorization({ origins: { server: origin, issuer: origin } })
  served.answer = async (request) => {
    const { pathname, searchParams } = new URL(request.url)
    const token = request.headers.get('authorization')?.replace('Bearer ', '') ?? ''
    if (pathname === '/mcp' && mock.valid.has(token)) return handler.fetch(request)
    if (pathname === '/authorize') return agree(searchParams.get('redirect_uri') ?? '', mock.approve(request.url))
    const body = request.method === 'POST' ? await request.text() : undefined
    const { method, url, headers } = request
    return mock.fetch(url, { method, headers, ...(body === undefined ? {} : { body }) })
  }
  return {
    url: `${origin}/mcp`,
    mock,
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise((resolve) => http.close(resolve))
      http.closeAllConnections()
      await closed
    },
  }
}

function agree(redirect: string, answer: URLSearchParams): Response {
  return new Response(null, { status: 302, headers: { location: `${redirect}?${answer.toString()}` } })
}

async function toRequest(incoming: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk)
  const { method = 'GET', url = '/', headers } = incoming
  const named = Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
  return new Request(`http://${headers.host ?? ''}${url}`, {
    method,
    headers: Object.fromEntries(named) as Record<string, string>,
    ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
  })
}

/** Piece by piece: a response may be a stream that stays open. */
async function send(outgoing: ServerResponse, response: Response): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) outgoing.write(chunk)
  outgoing.end()
}
