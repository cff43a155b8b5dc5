// Small HTTP servers for tests: streamable HTTP, SSE only, one that wants a sign-in, one that redirects.
import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface RemoteServer extends AsyncDisposable {
  readonly url: string
  /** `METHOD path` of each request, with the headers that a test looks at. */
  readonly requests: { readonly line: string; readonly authorization: string | undefined }[]
}

async function listen(handle: RequestListener): Promise<RemoteServer> {
  const requests: RemoteServer['requests'] = []
  const server: Server = createServer((request, response) => {
    const { method, url, headers } = request
    requests.push({ line: `${method} ${url}`, authorization: headers.authorization })
    handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    requests,
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

interface Message {
  readonly id?: number
  readonly method: string
  readonly params?: { readonly name?: string }
}

async function readMessage(request: IncomingMessage): Promise<Message> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString()) as Message
}

function answerTo({ id, method, params }: Message): object | undefined {
  if (id === undefined) return undefined
  const results: Record<string, object> = {
    initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'r', version: '1' } },
    'tools/list': { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: `called ${params?.name}` }] },
  }
  const result = results[method]
  const outcome = result === undefined ? { error: { code: -32_601, message: 'Method not found' } } : { result }
  return { jsonrpc: '2.0', id, ...outcome }
}

const sendJson = (response: ServerResponse, body: object, headers: Record<string, string> = {}): void => {
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

/** Streamable HTTP with a session, without a stream of its own. `forget` makes it answer 404 for the session. */
export async function httpServer(): Promise<RemoteServer & { forget(): void }> {
  let session = 1
  const server = await listen((request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(request.method === 'DELETE' ? 200 : 405).end()
      return
    }
    void readMessage(request).then((message) => {
      const id = request.headers['mcp-session-id']
      const answer = answerTo(message)
      if (id !== undefined && id !== String(session)) response.writeHead(404).end()
      else if (answer === undefined) response.writeHead(202).end()
      else sendJson(response, answer, message.method === 'initialize' ? { 'mcp-session-id': String(session) } : {})
    })
  })
  return Object.assign(server, { forget: () => (session += 1) })
}

/** Answers like the one above, and refuses calls of tools with 401: its token has ended meanwhile. */
export function expiringServer(): Promise<RemoteServer> {
  return listen((request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(405).end()
      return
    }
    void readMessage(request).then((message) => {
      const answer = answerTo(message)
      if (message.method === 'tools/call') response.writeHead(401).end()
      else if (answer === undefined) response.writeHead(202).end()
      else sendJson(response, answer)
    })
  })
}

/** As older servers: GET opens a stream that names the address for messages; POST to the same address is refused. */
export function sseServer(): Promise<RemoteServer> {
  let stream: ServerResponse | undefined
  return listen((request, response) => {
    if (request.method === 'GET') {
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' })
      stream.write('event: endpoint\ndata: /messages\n\n')
    } else if (request.url !== '/messages') response.writeHead(405).end()
    else {
      void readMessage(request).then((message) => {
        const answer = answerTo(message)
        if (answer !== undefined) stream?.write(`event: message\ndata: ${JSON.stringify(answer)}\n\n`)
        response.writeHead(202).end()
      })
    }
  })
}

/** Refuses with a status, and quotes the token that it got. */
export function refusingServer(status: number): Promise<RemoteServer> {
  return listen(({ headers }, response) => {
    response.writeHead(status, { 'content-type': 'text/plain' }).end(`no access for ${headers.authorization}`)
  })
}

/** Answers `initialize`, and wants a sign-in for its lists. */
export function secretListsServer(): Promise<RemoteServer> {
  return listen((request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(405).end()
      return
    }
    void readMessage(request).then((message) => {
      const answer = answerTo(message)
      if (message.method === 'tools/list') response.writeHead(401).end()
      else if (answer === undefined) response.writeHead(202).end()
      else sendJson(response, answer)
    })
  })
}

export function redirectingServer(target: string): Promise<RemoteServer> {
  return listen((_, response) => {
    response.writeHead(307, { location: target }).end()
  })
}
