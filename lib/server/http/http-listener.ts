// Listens for HTTP with limits, and names the hosts under which the listener may be reached.
// Guarantees: unsubscribing stops listening and ends every connection.
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Observable } from 'rxjs'
import { Failure, describeThrown } from '../../streams/values/failure.ts'
import { loopbackNames } from './loopback.ts'

export interface HttpListenerOptions {
  /** In messages: `The proxy`. */
  readonly name: string
  /** 0 = any that is free. */
  readonly port: number
  readonly host: string
  /** Further values of `Host`. */
  readonly hosts: readonly string[]
  readonly maxConnections: number
  /** Milliseconds for the head of a request. Default 10,000. */
  readonly headersTimeoutMs?: number
  onRequest(incoming: IncomingMessage, response: ServerResponse, hosts: readonly string[]): void
}

export interface HttpListener {
  /** `http://127.0.0.1:8787`. */
  readonly url: string
  /** Allowed values of `Host`. */
  readonly hosts: readonly string[]
  readonly server: Server
}

/** Bytes of the head of a request. */
const maxHeaderSize = 16_384
/** Milliseconds for the whole of a request. */
const requestTimeout = 60_000

/**
 * Emits its address and goes on until unsubscribed. Fails with `server_running` if the port is taken, `bad_request` for
 * an invalid address.
 */
export function listenHttp({
  name,
  port,
  host,
  hosts: more,
  maxConnections,
  headersTimeoutMs: headersTimeout = 10_000,
  onRequest,
}: HttpListenerOptions): Observable<HttpListener> {
  return new Observable((subscriber) => {
    let hosts: readonly string[] = []
    const connectionsCheckingInterval = Math.min(headersTimeout, 5_000)
    const limits = { headersTimeout, requestTimeout, maxHeaderSize, connectionsCheckingInterval }
    const server = createServer(limits, (incoming, response) => onRequest(incoming, response, hosts))
    server.maxConnections = maxConnections
    server.on('error', (error: NodeJS.ErrnoException) => {
      subscriber.error(cannotListen(error, name, `${host}:${port}`))
    })
    server.listen({ host, port }, () => {
      const { port: own } = server.address() as AddressInfo // it listens on TCP
      hosts = listAllowedHosts(host, own, more)
      subscriber.next({ url: `http://${toUrlHost(host)}:${own}`, hosts, server })
    })
    return () => {
      server.close()
      server.closeAllConnections()
    }
  })
}

function toUrlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

/** Adds the port to the listener's own names, so that a page of another site cannot use a name of its own. */
export function listAllowedHosts(host: string, port: number, more: readonly string[]): readonly string[] {
  const isAny = host === '0.0.0.0' || host === '::'
  const names = [...loopbackNames, ...(isAny ? [] : [toUrlHost(host).toLowerCase()])]
  const own = names.flatMap((name) => (port === 80 ? [`${name}:80`, name] : [`${name}:${port}`]))
  return [...own, ...more.map((name) => name.toLowerCase())]
}

function cannotListen(error: NodeJS.ErrnoException, name: string, where: string): Failure {
  if (error.code === 'EADDRINUSE') {
    return new Failure(
      'server_running',
      `${name} cannot listen at ${where}: another program listens there; choose another port.`,
    )
  }
  return new Failure('bad_request', `${name} cannot listen at ${where}: ${describeThrown(error)}.`, { cause: error })
}
