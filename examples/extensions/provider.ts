// Models of your own, in both ways. A gateway speaks a known API below /v1: gateway-v1/large needs an address and a price. It also
// takes JSON and streams plain text, which no built-in API speaks: a function streams the answers of gateway/small and gateway/large.
// All are in /model and --model. Install:
//   cp examples/extensions/provider.ts ~/.config/rxpi/extensions/ && rxpi extensions trust provider
import { readFileSync } from 'node:fs'
import { Type } from '@sinclair/typebox'
import { catchError, concatMap, from, map, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure, defineExtension, fromAbortable, messageText } from 'rxpi'
import type { ProviderRequest } from 'rxpi'
import { fromText } from 'rxpi/operators'

export default defineExtension({
  name: 'provider',
  version: '1.0.0',
  capabilities: ['http', 'read'], // without http both throw
  config: Type.Object({
    url: Type.String({ default: 'http://127.0.0.1:8080/generate' }),
    /** The variable with the key of gateway-v1, of the client or of the server's start; the key itself is no setting. */
    keyVariable: Type.String({ default: 'GATEWAY_KEY' }),
    /** Absolute; the key of the function: process.env of an extension has only the variables of docs/server.md. */
    keyFile: Type.Optional(Type.String()),
  }),
  setup({ models, config$ }) {
    const { url, keyVariable, keyFile } = config$.value
    models.provider('gateway-v1', {
      api: 'openai-completions',
      baseUrl: new URL('v1', url).href,
      apiKey: `$${keyVariable}`,
      models: [{ id: 'large', contextWindow: 32_000, prices: { input: 2, output: 8, cacheRead: 0.2, cacheWrite: 0 } }],
    })
    const key = () => (keyFile === undefined ? undefined : readFileSync(keyFile, 'utf8').trim())
    for (const id of ['small', 'large']) {
      const model = {
        id,
        provider: 'gateway',
        api: 'gateway',
        inputs: ['text' as const],
        reasoning: false,
        contextWindow: 32_000,
      }
      models.register({ model, provider: fromText((request) => answer$(request, { url, key: key(), id })) })
    }
  },
})

interface Gateway {
  readonly url: string
  readonly key: string | undefined
  readonly id: string
}

/** Unsubscribing aborts the request: that is how a run is stopped. */
function answer$({ system, messages }: ProviderRequest, { url, key, id }: Gateway): Observable<string> {
  const turns = messages.map((message) => ({ role: message.role, text: messageText(message) }))
  const init = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ model: id, system, turns }),
  }
  return fromAbortable((signal) => fetch(url, { ...init, signal })).pipe(
    catchError((cause: unknown) => throwError(() => failure('network', `The gateway at ${url} is not there`, cause))),
    concatMap((response) => {
      if (response.status === 401) throw failure('auth', 'The gateway refuses the key')
      if (!response.ok || response.body === null) throw failure('overloaded', `The gateway answers ${response.status}`)
      return from<AsyncIterable<Uint8Array>>(response.body)
    }),
    map(decoder()),
  )
}

/** The kind decides whether rxpi tries again; see docs/errors.md. */
function failure(kind: 'network' | 'auth' | 'overloaded', message: string, cause?: unknown): Failure {
  return new Failure('provider_error', message, { cause, data: { kind } })
}

/** Characters may be cut between two pieces. */
function decoder(): (bytes: Uint8Array) => string {
  const text = new TextDecoder()
  return (bytes) => text.decode(bytes, { stream: true })
}
