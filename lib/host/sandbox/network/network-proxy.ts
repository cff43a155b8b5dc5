// Runs the filtering proxy of a sandbox on a Unix socket: CONNECT and plain HTTP to allowed hosts.
// Guarantees: names are resolved here and the checked address is the one that is connected to.
import { lookup } from 'node:dns'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request as httpRequest } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, isIP } from 'node:net'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Observable, Subject } from 'rxjs'
import { storageFailure } from '../../files/storage-failure.ts'
import { guardFolder } from '../../process/guardian.ts'
import { createDomainRules } from './domain-rules.ts'
import type { DomainRules, NetworkRefusal, NetworkRules } from './domain-rules.ts'

export interface NetworkProxy {
  /** Absolute path of the Unix socket. */
  readonly socket: string
  /** Each refused host and port, once. */
  readonly refusals$: Observable<NetworkRefusal>
}

/** Finds the addresses of a name; Node's by default. */
export type Resolve = (host: string, found: (error: Error | null, addresses: readonly string[]) => void) => void

const systemResolve: Resolve = (host, found) => {
  lookup(host, { all: true, order: 'verbatim' }, (error, addresses) => {
    found(error, error === null ? addresses.map(({ address }) => address) : [])
  })
}

const maxConnections = 256
const connectWithinMs = 10_000

/**
 * Emits the proxy when it listens and stays open; unsubscribing closes the socket and every connection. At most 256
 * connections at once; each is refused with 403 and the reason, or connected to one checked address.
 * Errors: Failure `bad_config` for invalid rules, `storage` if the socket cannot be created.
 */
export function openNetworkProxy(rules: NetworkRules, resolve: Resolve = systemResolve): Observable<NetworkProxy> {
  return new Observable((subscriber) => {
    const domains = createDomainRules(rules)
    const folder = mkdtempSync(path.join(tmpdir(), 'rxpi-proxy-'))
    const release = guardFolder(folder)
    const socket = path.join(folder, 'proxy.sock')
    const gate = createGate(domains, resolve)
    const sockets = new Set<Socket>()
    const server = createServer((request, response) => {
      forward(request, response, gate)
    })
    server.maxConnections = maxConnections
    server.on('connection', (client: Socket) => {
      sockets.add(client)
      client.on('error', () => client.destroy()).on('close', () => sockets.delete(client))
    })
    server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
      tunnel(request, client, head, gate)
    })
    server.on('error', (error) => {
      subscriber.error(storageFailure(`listen on ${socket}`, error))
    })
    server.listen(socket, () => {
      subscriber.next({ socket, refusals$: gate.refusals$.asObservable() })
    })
    server.unref()
    return () => {
      server.close()
      for (const client of sockets) client.destroy()
      gate.refusals$.complete()
      rmSync(folder, { recursive: true, force: true })
      release()
    }
  })
}

type Decision = { readonly address: string } | { readonly status: number; readonly text: string }

interface Gate {
  readonly refusals$: Subject<NetworkRefusal>
  /** Calls back once with an address to connect to, or with the answer for the client. */
  decide(host: string, port: number, done: (decision: Decision) => void): void
}

function createGate(domains: DomainRules, resolve: Resolve): Gate {
  const refusals$ = new Subject<NetworkRefusal>()
  const reported = new Set<string>()
  const refuse = (refusal: NetworkRefusal): Decision => {
    const key = `${refusal.host} ${refusal.port} ${refusal.reason}`
    if (!reported.has(key) && reported.size < 1_000) {
      reported.add(key)
      refusals$.next(refusal)
    }
    return { status: 403, text: refusalText(refusal) }
  }
  return {
    refusals$,
    decide: (host, port, done) => {
      const refusal = domains.refuse(host, port)
      if (refusal !== undefined) {
        done(refuse(refusal))
        return
      }
      const choose = (addresses: readonly string[]): void => {
        const address = addresses.find((each) => domains.allowsAddress(host, each))
        done(address === undefined ? refuse({ host, port, reason: 'address' }) : { address })
      }
      const literal = host.replace(/^\[(.*)\]$/, '$1')
      if (isIP(literal) !== 0) choose([literal])
      else
        resolve(host, (error, addresses) => {
          if (error !== null || addresses.length === 0) done({ status: 502, text: `${host} has no address` })
          else choose(addresses)
        })
    },
  }
}

function refusalText({ host, port, reason }: NetworkRefusal): string {
  const why = {
    host: `${host} is not in sandbox.network.allow`,
    port: `port ${port} of ${host} is not in sandbox.network.allow`,
    address: `${host} leads to a private address`,
  }[reason]
  return `rxpi's sandbox does not allow ${host}:${port}: ${why}`
}

function tunnel(request: IncomingMessage, client: Duplex, head: Buffer, gate: Gate): void {
  client.on('error', () => client.destroy())
  const [, host = '', port = ''] = /^(\[[0-9a-f:.]+\]|[^:]+):(\d{1,5})$/i.exec(request.url ?? '') ?? []
  if (host === '') {
    client.end(answerText(400, 'write CONNECT host:port'))
    return
  }
  const early = readEarly(client)
  gate.decide(host, Number(port), (decision) => {
    if (client.destroyed) return // it left while the name was resolved
    if ('status' in decision) {
      client.end(answerText(decision.status, decision.text))
      return
    }
    const upstream = connect({ host: decision.address, port: Number(port), timeout: connectWithinMs })
    let isConnected = false
    const fail = (): void => {
      if (isConnected) client.destroy()
      else client.end(answerText(502, `${host}:${port} does not answer`))
      upstream.destroy()
    }
    upstream.once('timeout', fail)
    upstream.once('error', fail)
    client.once('close', () => upstream.destroy())
    upstream.once('close', () => client.end())
    upstream.once('connect', () => {
      isConnected = true
      upstream.setTimeout(0)
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      for (const bytes of [head, ...early.stop()]) upstream.write(bytes)
      client.pipe(upstream).pipe(client)
    })
  })
}

interface EarlyBytes {
  /** Returns the bytes that came; the caller reads on. */
  stop(): readonly Buffer[]
}

/** Reads what a client sends before its tunnel is open: at most one chunk, so that a client that leaves is noticed. */
function readEarly(client: Duplex): EarlyBytes {
  const chunks: Buffer[] = []
  const store = (chunk: Buffer): void => {
    chunks.push(chunk)
    client.pause()
  }
  const leave = (): void => void client.destroy()
  client.once('data', store).once('end', leave)
  return {
    stop: () => {
      client.off('data', store).off('end', leave)
      return chunks
    },
  }
}

function answerText(status: number, text: string): string {
  const reason = status === 403 ? 'Forbidden' : status === 400 ? 'Bad Request' : 'Bad Gateway'
  const lines = [
    `HTTP/1.1 ${status} ${reason}`,
    `X-Rxpi-Sandbox: ${text}`,
    'Connection: close',
    'Content-Type: text/plain',
  ]
  return `${lines.join('\r\n')}\r\nContent-Length: ${Buffer.byteLength(text) + 1}\r\n\r\n${text}\n`
}

/** A plain HTTP request with the whole address in its first line. */
function forward(request: IncomingMessage, response: ServerResponse, gate: Gate): void {
  const target = parseTarget(request.url)
  if (target === undefined) {
    reply(response, 400, 'write a request with the whole http:// address')
    return
  }
  const port = Number(target.port === '' ? 80 : target.port)
  gate.decide(target.hostname, port, (decision) => {
    if (request.socket.destroyed) return // as in a tunnel
    if ('status' in decision) {
      reply(response, decision.status, decision.text)
      return
    }
    const { 'proxy-connection': _, 'proxy-authorization': __, connection: ___, ...headers } = request.headers
    const upstream = httpRequest({
      host: decision.address,
      port,
      method: request.method ?? 'GET',
      path: `${target.pathname}${target.search}`,
      headers: { ...headers, host: target.host },
      timeout: connectWithinMs,
      agent: false,
    })
    upstream.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
      answer.once('error', () => response.destroy())
    })
    upstream.once('timeout', () => upstream.destroy())
    upstream.once('error', () => {
      if (response.headersSent) response.destroy()
      else reply(response, 502, `${target.host} does not answer`)
    })
    response.once('close', () => upstream.destroy())
    request.pipe(upstream)
  })
}

function parseTarget(url: string | undefined): URL | undefined {
  const target = URL.parse(url ?? '')
  return target?.protocol === 'http:' ? target : undefined
}

function reply(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain', 'x-rxpi-sandbox': text, connection: 'close' })
  response.end(`${text}\n`)
}
