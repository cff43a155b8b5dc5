// Serves the LLM proxy over HTTP, with the token, keys and models of this machine.
// Guarantees: listens on loopback unless configured otherwise; unsubscribing ends all of it.
import { Subscription, defer, finalize, map } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import { listenHttp } from '../http/http-listener.ts'
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

const connectionLimit = 256

/**
 * Emits its address and goes on until unsubscribed: then it stops listening and ends every response with its provider's
 * request. Fails with `server_running` if the port is taken, `bad_request` for an invalid address.
 */
export function proxyEndpoint(options: ProxyEndpointOptions): Observable<ProxyEndpoint> {
  const { port, host = '127.0.0.1', mostAnswers = 64, keepAliveMs = 15_000, takingMs = 60_000 } = options
  return defer(() => {
    const exchanges = new Subscription()
    let answers = 0
    const listener$ = listenHttp({
      name: 'The proxy',
      port,
      host,
      hosts: options.hosts ?? [],
      maxConnections: connectionLimit,
      onRequest: (incoming, response, hosts) => {
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
      },
    })
    return listener$.pipe(
      map(({ url }) => ({ url })),
      finalize(() => exchanges.unsubscribe()),
    )
  })
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
