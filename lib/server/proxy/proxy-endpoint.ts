// The LLM proxy over HTTP: off unless asked for, on loopback unless told, and nothing of it is left when nobody is subscribed any more.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Observable, Subscription, defer, map } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import { answerExchange } from './answer-exchange.ts'
import { proxySetup } from '../../services/index.ts'

export interface ProxyEndpointOptions {
  /** 0 = any that is free. */
  readonly port: number
  /** @default 127.0.0.1 */
  readonly host?: string
  /** What each request must bring. */
  readonly token: string
  /** What else `Host` may say beside the loopback's names and `host`. @default nothing */
  readonly hosts?: readonly string[]
  /** Origins whose pages may ask, as `https://example.org`. @default none */
  readonly origins?: readonly string[]
  /** The model of a name, with what answers for it. */
  readonly find: (name: string) => Observable<ProviderModel>
  /** Answers that may be on at once; more are refused with 503. @default 64 */
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
 * Emits where it listens and goes on until unsubscribed: then it listens no more, and every answer is given up with its
 * provider's request. Fails with `server_running` where the port is taken, `bad_request` for an address that is none.
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
    server.maxConnections = mostConnections
    server.on('error', (error: NodeJS.ErrnoException) => {
      subscriber.error(cannotListen(error, host, port))
    })
    server.listen({ host, port }, () => {
      const { port: own } = server.address() as AddressInfo // it listens on TCP
      hosts = hostsOf(host, own, options.hosts ?? [])
      subscriber.next({ url: `http://${inUrl(host)}:${own}` })
    })
    return () => {
      exchanges.unsubscribe()
      server.close()
      server.closeAllConnections()
    }
  })
}

const mostConnections = 256
/** Milliseconds for the head, and for the whole of a request. */
const limits = { headersTimeout: 10_000, requestTimeout: 60_000, maxHeaderSize: 16_384 }

function inUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

/** The names by which it is called here go with its port, so that no page of another site can ask under a name of its own. */
function hostsOf(host: string, port: number, more: readonly string[]): readonly string[] {
  const isAny = host === '0.0.0.0' || host === '::'
  const names = [...loopback, ...(isAny ? [] : [inUrl(host).toLowerCase()])]
  const own = names.flatMap((name) => (port === 80 ? [`${name}:80`, name] : [`${name}:${port}`]))
  return [...own, ...more.map((name) => name.toLowerCase())]
}

function cannotListen(error: NodeJS.ErrnoException, host: string, port: number): Failure {
  const where = `${host}:${port}`
  if (error.code === 'EADDRINUSE') {
    return new Failure(
      'server_running',
      `The proxy cannot listen at ${where}: something does already; give another port.`,
    )
  }
  return new Failure('bad_request', `The proxy cannot listen at ${where}: ${error.message}.`, { cause: error })
}

// The proxy's endpoint with the token, the keys and the models of this machine.

export interface ServeProxyOptions extends Omit<ProxyEndpointOptions, 'token' | 'find'> {
  /** Of the process that serves: where its files are, keys and addresses. */
  readonly env: Readonly<Record<string, string>>
  /** Models that may be asked beside those of the catalogue and of models.json. @default none */
  readonly models?: readonly string[]
}

export interface ServedProxy {
  /** `http://127.0.0.1:8787`. */
  readonly url: string
  /** The variable or file that holds the token. */
  readonly tokenFrom: string
}

/** Emits where it listens and goes on until unsubscribed; fails as `proxyEndpoint` and `proxyToken` do. */
export function serveProxy({ env, models = [], ...endpoint }: ServeProxyOptions): Observable<ServedProxy> {
  return defer(() => {
    const { token, models: known } = proxySetup(env, models)
    return proxyEndpoint({ ...endpoint, token: token.token, find: known.find }).pipe(
      map(({ url }) => ({ url, tokenFrom: token.from })),
    )
  })
}
