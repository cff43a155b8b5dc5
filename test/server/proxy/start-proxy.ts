// Provides a proxy endpoint for tests: on a free port, closed with all its sockets at the end.
import { of, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import { proxyEndpoint } from '../../../lib/server/proxy/proxy-endpoint.ts'
import type { ProxyEndpointOptions } from '../../../lib/server/proxy/proxy-endpoint.ts'
import { scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { Provider, ProviderModel } from '../../../lib/streams/ports/provider.ts'

export const token = 'a-token-for-tests-only'

export interface TestProxy extends AsyncDisposable {
  readonly url: string
  /** The response to a request with this body (by default a valid one) and these headers. */
  ask(more?: {
    readonly body?: unknown
    readonly headers?: Record<string, string>
    readonly path?: string
    readonly method?: string
  }): Promise<Response>
}

/** Starts a proxy that serves `scripted/scripted` with `provider`. */
export async function startProxy(provider: Provider, more: Partial<ProxyEndpointOptions> = {}): Promise<TestProxy> {
  function find(name: string): Observable<ProviderModel> {
    if (name !== 'scripted/scripted') return throwError(() => new Failure('bad_request', `no ${name}`))
    return of<ProviderModel>({ model: scriptedModel, provider })
  }
  const endpoint$ = proxyEndpoint({ port: 0, token, find, ...more })
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const listening = endpoint$.subscribe({ next: ({ url }) => resolve(url), error: reject })
  const url = await promise
  return {
    url,
    ask: ({ body = requestBody(), headers = {}, path = '/v1/stream', method = 'POST' } = {}) =>
      fetch(`${url}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        ...(method === 'POST' ? { body: typeof body === 'string' ? body : JSON.stringify(body) } : {}),
      }),
    [Symbol.asyncDispose]: () => {
      listening.unsubscribe()
      return Promise.resolve()
    },
  }
}

export function requestBody(more: object = {}): object {
  const messages = [{ role: 'user', content: 'Hello', timestamp: 0 }]
  return { model: 'scripted/scripted', system: '', messages, tools: [], thinkingLevel: 'off', ...more }
}
