// Runs the provider contract over one API: scenarios become frames, and frames a server's answer.
import { lastValueFrom } from 'rxjs'
import type { Model } from '../../../lib/streams/models/model.ts'
import type { Provider } from '../../../lib/streams/ports/provider.ts'
import { providerContract } from '../../contract/provider-contract.ts'
import type { ProviderHarness, AnswerPart, Scenario } from '../../contract/provider-contract.ts'
import { rawSseServer } from '../../support/raw-sse-server.ts'
import type { RawAnswer } from '../../support/raw-sse-server.ts'
import { aRequest } from '../offline/a-request.ts'
import { aUser } from './messages.ts'

/** A provider with a server in front of it. */
export interface ClosableProvider {
  readonly provider: Provider
  close(): PromiseLike<void>
}

/** Text or bytes of the wire. */
export type Frame = string | Uint8Array

export interface Wire {
  readonly api: string
  provider(baseUrl: string): Provider | Promise<ClosableProvider>
  /** Converts the parts of an answer to frames, without its end. */
  frames(output: readonly AnswerPart[]): Frame[]
  /** Returns the frame that ends a whole answer. */
  ending(output: readonly AnswerPart[]): Frame
  /** A frame that the adapter cannot parse. */
  readonly garbage: Frame
  /** @default server-sent events */
  readonly mediaType?: string
  readonly without?: readonly Scenario['ending'][]
  readonly withoutBrokenArguments?: true
  /** Another form of an API that the contract covers. */
  readonly isDialect?: true
  /** Each provider has already completed one request. */
  readonly requestsBefore?: true
}

/** Runs the same suite for every API. */
export function apiContract(wire: Wire): void {
  const harness: ProviderHarness = {
    name: wire.api,
    ...(wire.without === undefined ? {} : { without: wire.without }),
    ...(wire.withoutBrokenArguments === undefined ? {} : { withoutBrokenArguments: true }),
    ...(wire.isDialect === undefined ? {} : { isDialect: true }),
    open: async (scenario) => {
      const before = wire.requestsBefore === true ? 1 : 0
      const server = await rawSseServer((_, number) => answerOf(wire, number < before ? usual : scenario))
      const model: Model = { id: 'm', provider: 'test', api: wire.api, inputs: ['text'], reasoning: false }
      const { provider, close } = closable(await wire.provider(server.url))
      const first$ = provider(aRequest({ model, messages: [aUser('Hello')] }))
      if (before > 0) await lastValueFrom(first$, { defaultValue: undefined })
      return {
        provider,
        model,
        abandoned: server.request(before).then(({ abandoned }) => abandoned),
        [Symbol.asyncDispose]: async () => {
          await close()
          await server[Symbol.asyncDispose]()
        },
      }
    },
  }
  providerContract(harness)
}

const usual: Scenario = { parts: [{ text: 'a' }], ending: 'done' }

function closable(provider: Provider | ClosableProvider): ClosableProvider {
  return 'close' in provider ? provider : { provider, close: () => Promise.resolve() }
}

function answerOf(wire: Wire, { parts: output, ending: how, bytesPerChunk }: Scenario): RawAnswer {
  if (how === 'silent') return { ending: 'silent' }
  if (how === 'notAStream') return { headers: { 'content-type': 'text/html' }, body: ['<h1>Welcome</h1>'] }
  const frames = wire.frames(output)
  if (how === 'done' || how === 'lingers') frames.push(wire.ending(output))
  if (how === 'garbage') frames.push(wire.garbage)
  return {
    ...(wire.mediaType === undefined ? {} : { headers: { 'content-type': wire.mediaType } }),
    body: bytesPerChunk === undefined ? frames : slices(frames, bytesPerChunk),
    ending: how === 'cut' ? 'cut' : how === 'stall' || how === 'lingers' ? 'stall' : 'end',
  }
}

function slices(frames: readonly Frame[], length: number): Uint8Array[] {
  const bytes = Buffer.concat(frames.map((frame) => (typeof frame === 'string' ? Buffer.from(frame) : frame)))
  return Array.from({ length: Math.ceil(bytes.length / length) }, (_, n) =>
    bytes.subarray(n * length, (n + 1) * length),
  )
}
