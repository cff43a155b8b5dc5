// The proxy's endpoint with the token, the keys and the models of this machine.
import { defer, map } from 'rxjs'
import type { Observable } from 'rxjs'
import { proxySetup } from '../../services/index.ts'
import { proxyEndpoint } from './proxy-endpoint.ts'
import type { ProxyEndpointOptions } from './proxy-endpoint.ts'

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
