// Serves the LLM proxy over HTTP, with the token, keys and models of this machine.
// Guarantees: listens on loopback unless configured otherwise; unsubscribing ends all of it.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Observable, Subscription, defer, map } from 'rxjs'
import { Failure, describeThrown } from '../../streams/values/failure.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import { answerExchange } from './answer-exchange.ts'
import { proxySetup } from '../../services/index.ts'

export interface ProxyEndpointOptions {
  /** 0 = any that is free. */
  readonly port: number
  /** @default 127.0.0.1 */
  readonly host?: string
  /** Required in each request. */
  readonly token: string
  /** Allowed values of `Host` besides loopback names and `host`. @default none */
  readonly hosts?: readonly string[]
  /** Origins whose pages may use the proxy, such as `https://example.org`. @default none */
  readonly origins?: readonly string[]
  /** Finds a model and its provider by name. */
  readonly find: (name: string) => Observable<ProviderModel>
  /** Limit of concurrent responses; one more is refused with 503. @default 64 */
  readonly mostAnswers?: number
  /** @default 15,000 */
  readonly keepAliveMs?: number
  /** @default 60,000 */
  readonly takingMs?: number
}

export interface ProxyEndpoint {
  /** `http://127.0.0.1:8787`. */
  readonly url: string
}

const loopback = ['127.0.0.1', 'localhost', '[::1]']

/**
 * Emits its address and goes on until unsubscribed: then it stops listening and ends every response with its provider's
 * request. Fails with `server_running` if the port is taken, `bad_request` for an invalid address.
 */
export function proxyEndpoint(options: ProxyEndpointOptions): Observable<ProxyEndpoint> {
  const { port, host = loopback[0] ?? '', mostAnswers = 64, keepAliveMs = 15_000, takingMs = 60_000 } = options
  return new Observable((subscriber) => {
    const exchanges = new Subscription()
    let answers = 0
    let hosts: readonly string[] = []
    const server = createServer(limits, (incoming, response) => {
      answers++
      const exchange = answerExchange(incoming, response, {
        rules: { token: options.token, hosts, origins: options.origins ?? [] },
        find: options.find,
        hasRoom: () => answers <= mostAnswers,
        keepAliveMs,
        takingMs,
      }).subscribe()
      exchange.add(() => answers--)
      exchanges.add(exchange)
    })
    server.maxConnections = connectionLimit
    server.on('error', (error: NodeJS.ErrnoException) => {
      subscriber.error(cannotListen(error, host, port))
    })
    server.listen({ host, port }, () => {
      const { port: own } = server.address() as AddressInfo // it listens on TCP
      hosts = listAllowedHosts(host, own, options.hosts ?? [])
      subscriber.next({ url: `http://${toUrlHost(host)}:${own}` })
    })
    return () => {
      exchanges.unsubscribe()
      server.close()
      server.closeAllConnections()
    }
  })
}

const connectionLimit = 256
/** Milliseconds for the head and the whole of a request, bytes of the head. */
const limits = { headersTimeout: 10_000, requestTimeout: 60_000, maxHeaderSize: 16_384 }

function toUrlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

/** Adds the port to the proxy's own names, so that a page of another site cannot use a name of its own. */
export function listAllowedHosts(host: string, port: number, more: readonly string[]): readonly string[] {
  const isAny = host === '0.0.0.0' || host === '::'
  const names = [...loopback, ...(isAny ? [] : [toUrlHost(host).toLowerCase()])]
  const own = names.flatMap((name) => (port === 80 ? [`${name}:80`, name] : [`${name}:${port}`]))
  return [...own, ...more.map((name) => name.toLowerCase())]
}

function cannotListen(error: NodeJS.ErrnoException, host: string, port: number): Failure {
  const where = `${host}:${port}`
  if (error.code === 'EADDRINUSE') {
    return new Failure(
      'server_running',
      `The proxy cannot listen at ${where}: another program listens there; choose another port.`,
    )
  }
  return new Failure('bad_request', `The proxy cannot listen at ${where}: ${describeThrown(error)}.`, { cause: error })
}

export interface ServeProxyOptions extends Omit<ProxyEndpointOptions, 'token' | 'find'> {
  /** The environment of the serving process: folders, keys and addresses. */
  readonly env: Readonly<Record<string, string>>
  /** Models that may be used besides those of the catalogue and of models.json. @default none */
  readonly models?: readonly string[]
}

export interface ServedProxy {
  /** `http://127.0.0.1:8787`. */
  readonly url: string
  /** The variable or file with the token. */
  readonly tokenFrom: string
}

/** Emits its address and goes on until unsubscribed; fails as `proxyEndpoint` and `proxyToken` do. */
export function serveProxy({ env, models = [], ...endpoint }: ServeProxyOptions): Observable<ServedProxy> {
  return defer(() => {
    const { token, models: known } = proxySetup(env, models)
    return proxyEndpoint({ ...endpoint, token: token.token, find: known.find }).pipe(
      map(({ url }) => ({ url, tokenFrom: token.from })),
    )
  })
}
