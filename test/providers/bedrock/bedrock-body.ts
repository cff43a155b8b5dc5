// Returns the body of a request to Bedrock, and builds parts of its conversations.
import { defaultBedrockCompat } from '../../../lib/providers/bedrock/bedrock-options.ts'
import type { BedrockCompat } from '../../../lib/providers/bedrock/bedrock-options.ts'
import { bedrockRequest } from '../../../lib/providers/bedrock/bedrock-request.ts'
import type { ProviderRequest } from '../../../lib/streams/ports/provider.ts'
import { aRequest } from '../offline/a-request.ts'
import { model } from './bedrock-scene.ts'

/** The author of an answer that is the model's own. */
export const own = { api: 'bedrock-converse-stream', model: model.id }
export const signed = { type: 'thinking', thinking: 'some thought', thinkingSignature: 'sig' } as const

/** The body as it is sent. */
export function bodyOf(fields: Partial<ProviderRequest>, compat: Partial<BedrockCompat> = {}): Record<string, unknown> {
  const body = bedrockRequest(aRequest({ model, ...fields }), { ...defaultBedrockCompat, ...compat })
  return JSON.parse(JSON.stringify(body)) as Record<string, unknown>
}
