// Sends requests to a mock of Bedrock and returns its answer or its failure.
import { bedrockConverseStream } from '../../../lib/providers/endpoints/apis.ts'
import type { BedrockOptions } from '../../../lib/providers/bedrock/bedrock-options.ts'
import type { AssistantMessage } from '../../../lib/streams/messages/message.ts'
import type { Failure } from '../../../lib/streams/values/failure.ts'
import type { Model } from '../../../lib/streams/models/model.ts'
import { requestsWire } from '../adapter/sent-request.ts'
import type { RawStep } from '../../support/raw-sse-server.ts'
import { mediaType } from './bedrock-events.ts'

export const model: Model = {
  id: 'us.anthropic.claude-opus-4-6-v1',
  provider: 'maker',
  api: 'bedrock-converse-stream',
  inputs: ['text', 'image'],
  reasoning: true,
  maxOutput: 32_000,
}

export const headers = { 'content-type': mediaType }

const wire = requestsWire<BedrockOptions>(model, (options) => bedrockConverseStream({ provider: 'maker', ...options }))
export const { deltasOf, failed } = wire

/** The message of these frames. */
export function answered(...body: readonly RawStep[]): Promise<AssistantMessage> {
  return wire.answeredWith({ headers, body })
}

/** The failure after these frames. */
export function failedAfter(...body: readonly RawStep[]): Promise<Failure> {
  return failed({ headers, body })
}
