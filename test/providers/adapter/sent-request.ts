// Sends one request to a raw server and returns its deltas, its message or its failure.
import { lastValueFrom, toArray } from 'rxjs'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { AssistantMessage } from '../../../lib/streams/messages/message.ts'
import type { Model } from '../../../lib/streams/models/model.ts'
import type { Provider, ProviderRequest } from '../../../lib/streams/ports/provider.ts'
import { rawSseServer } from '../../support/raw-sse-server.ts'
import type { RawAnswer } from '../../support/raw-sse-server.ts'
import { aRequest } from '../offline/a-request.ts'
import { foldDeltas } from '../offline/fold-deltas.ts'
import { aUser } from './messages.ts'

type At<Options> = Partial<Options> & { readonly baseUrl: string }

export interface RequestsWire<Options> {
  /** All deltas of an answer; rejects if the request fails. */
  deltasOf(options: At<Options>, request?: Partial<ProviderRequest>): Promise<AssistantDelta[]>
  answeredWith(answer: RawAnswer, request?: Partial<ProviderRequest>): Promise<AssistantMessage>
  answered(...body: readonly string[]): Promise<AssistantMessage>
  /** The failure of the request; rejects if it succeeds. */
  failed(answer: RawAnswer, options?: Partial<Options>): Promise<Failure>
}

export function requestsWire<Options>(
  model: Model,
  provider: (options: At<Options>) => Provider,
): RequestsWire<Options> {
  const deltasOf: RequestsWire<Options>['deltasOf'] = (options, request = {}) =>
    lastValueFrom(provider(options)(aRequest({ model, messages: [aUser('Hello')], ...request })).pipe(toArray()), {
      defaultValue: [],
    })
  const answeredWith: RequestsWire<Options>['answeredWith'] = async (answer, request) => {
    await using server = await rawSseServer(answer)
    return foldDeltas(await deltasOf(at(server.url), request))
  }
  const at = (baseUrl: string, options: Partial<Options> = {}): At<Options> => ({ ...options, baseUrl })
  return {
    deltasOf,
    answeredWith,
    answered: (...body) => answeredWith({ body }),
    failed: async (answer, options) => {
      await using server = await rawSseServer(answer)
      const error: unknown = await deltasOf(at(server.url, options)).then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      if (error instanceof Failure) return error
      throw new Error('it did not fail')
    },
  }
}
