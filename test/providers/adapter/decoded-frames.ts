// Decodes the frames of one response with each API's decoder, without a server.
import { from, lastValueFrom, toArray } from 'rxjs'
import { anthropicMessagesDecoder } from '../../../lib/providers/anthropic/anthropic-messages-decoder.ts'
import { decodeEvents } from '../../../lib/providers/adapter/sdk-response.ts'
import type { MakeDecoder } from '../../../lib/providers/adapter/sdk-response.ts'
import { customDecoder } from '../../../lib/providers/custom/custom-decoder.ts'
import { googleDecoder } from '../../../lib/providers/google/google-decoder.ts'
import { sse } from '../../../lib/providers/http/sse.ts'
import { mistralDecoder } from '../../../lib/providers/mistral/mistral-response.ts'
import { openAiCompletionsDecoder } from '../../../lib/providers/openai/completions/openai-completions-decoder.ts'
import { openAiResponsesDecoder } from '../../../lib/providers/openai/responses/openai-responses-decoder.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { Model } from '../../../lib/streams/models/model.ts'
import { declaredWire, ownDeclaration } from '../custom/custom-api.ts'
import { testedApis } from './tested-apis.ts'
import type { TestedApi } from './tested-apis.ts'

export const pricedModel: Model = {
  id: 'm',
  provider: 'maker',
  api: 'a',
  inputs: ['text'],
  reasoning: false,
  prices: { input: 1, output: 2 },
}

const about = { model: pricedModel, context: { provider: 'maker' } }
const parse = ownDeclaration().parseStreamChunk
const parser = { name: 'parseStreamChunk', whole: false, parse: (value: unknown) => parse?.(value as never, undefined) }

const decoders: Readonly<Record<string, MakeDecoder>> = {
  'openai-completions': (emit) => openAiCompletionsDecoder(about, emit),
  'openai-responses': (emit) => openAiResponsesDecoder(about, emit),
  'anthropic-messages': (emit) => anthropicMessagesDecoder(about, emit),
  'google-generative-ai': (emit) => googleDecoder(about, emit),
  'mistral-conversations': (emit) => mistralDecoder(about, emit),
  declared: (emit) => customDecoder({ ...about, parser: () => parser }, emit),
}

/** These APIs and a declared one. */
export const allApis: readonly TestedApi[] = [...testedApis, declaredWire]

/** All deltas of a response with these frames, or its failure. */
export async function decodeFrames(api: string, ...frames: readonly string[]): Promise<AssistantDelta[] | Failure> {
  const make = decoders[api]
  if (make === undefined) throw new Error(`There is no decoder for ${api}`)
  const byte$ = from(frames.map((frame) => Buffer.from(frame)))
  return lastValueFrom(byte$.pipe(sse(), decodeEvents(make, about.context), toArray()), { defaultValue: [] }).catch(
    (error: unknown) => {
      if (error instanceof Failure) return error
      throw error
    },
  )
}

/** The deltas; throws the failure. */
export async function deltasOf(api: string, ...frames: readonly string[]): Promise<AssistantDelta[]> {
  const deltas = await decodeFrames(api, ...frames)
  if (deltas instanceof Failure) throw deltas
  return deltas
}
