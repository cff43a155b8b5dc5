// Listens on 127.0.0.1 for the page to which a vendor sends the browser after a sign-in.
// Guarantees: no other address can reach it, and a page repeats nothing of the request.
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Observable } from 'rxjs'
import { storageFailure } from '../files/storage-failure.ts'

/** The page that a person sees. */
export interface CallbackPage {
  readonly status: 200 | 400 | 409 | 502
  readonly title: string
  readonly text: string
}

export interface CallbackRequest {
  readonly type: 'request'
  readonly parameters: URLSearchParams
  /** Sends the page; only the first call counts. */
  readonly respond: (page: CallbackPage) => void
}

export type CallbackEvent = { readonly type: 'listening'; readonly port: number } | CallbackRequest

export interface CallbackOptions {
  /** 0: any free port. */
  readonly port: number
  /** The only path that counts. */
  readonly path: string
}

/** Connections at a time: a browser opens few. */
const maxConnections = 16

/**
 * Emits the port once it listens, then each GET of the path. Unsubscribing stops listening; a page that was sent arrives.
 * Fails with a Failure `storage` if the port is taken. It does not keep the process alive.
 */
export function listenForCallback({ port, path }: CallbackOptions): Observable<CallbackEvent> {
  return new Observable<CallbackEvent>((subscriber) => {
    const server = createServer((request, response) => {
      const url = URL.parse(request.url ?? '', 'http://127.0.0.1')
      if (request.method !== 'GET' || url?.pathname !== path) {
        refuse(request, response)
        return
      }
      const respond = (page: CallbackPage): void => {
        if (!response.headersSent) sendPage(response, page)
      }
      subscriber.next({ type: 'request', parameters: url.searchParams, respond })
    })
    server.maxConnections = maxConnections
    server.on('error', (error) => {
      subscriber.error(storageFailure(`listen on 127.0.0.1:${port}`, error))
    })
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      if (typeof address === 'object' && address !== null) subscriber.next({ type: 'listening', port: address.port })
    })
    server.unref()
    return () => {
      server.close()
      server.closeIdleConnections()
    }
  })
}

function refuse(request: IncomingMessage, response: ServerResponse): void {
  request.resume()
  response.writeHead(404, { ...headers, 'content-type': 'text/plain; charset=utf-8' }).end('Not found')
}

const headers = {
  'cache-control': 'no-store',
  connection: 'close',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

function sendPage(response: ServerResponse, { status, title, text }: CallbackPage): void {
  const [head, body] = [escapeHtml(title), escapeHtml(text)]
  const style = 'body{font:1rem/1.5 system-ui;max-width:36rem;margin:4rem auto;padding:0 1rem}'
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${head}</title><style>${style}</style><h1>${head}</h1><p>${body}</p></html>`
  response.writeHead(status, { ...headers, 'content-type': 'text/html; charset=utf-8' }).end(page)
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
