// Returns the body that a request to the Messages API sends.
import { defaultMessagesCompat } from '../../../lib/providers/anthropic/anthropic-messages-options.ts'
import type { AnthropicMessagesCompat } from '../../../lib/providers/anthropic/anthropic-messages-options.ts'
import { anthropicMessagesRequest } from '../../../lib/providers/anthropic/anthropic-messages-request.ts'
import type { AssistantContent } from '../../../lib/streams/messages/message.ts'
import type { Model } from '../../../lib/streams/models/model.ts'
import type { ProviderRequest } from '../../../lib/streams/ports/provider.ts'
import { aRequest } from '../offline/a-request.ts'

export const model: Model = {
  id: 'm',
  provider: 'maker',
  api: 'anthropic-messages',
  inputs: ['text', 'image'],
  reasoning: true,
  maxOutput: 64_000,
}

export const own = { api: 'anthropic-messages' }

export const png = { type: 'image', mimeType: 'image/png', data: 'AAAA' } as const

export interface Body {
  readonly [field: string]: unknown
  readonly messages: readonly { readonly role: string; readonly content: readonly Record<string, unknown>[] }[]
}

/** Returns the body as it is sent. */
export function bodyOf(fields: Partial<ProviderRequest>, compat: Partial<AnthropicMessagesCompat> = {}): Body {
  const body = anthropicMessagesRequest(aRequest({ model, ...fields }), { ...defaultMessagesCompat, ...compat })
  return JSON.parse(JSON.stringify(body)) as Body
}

export function thought(thinking: string, thinkingSignature?: string, more: object = {}): AssistantContent {
  return { type: 'thinking', thinking, ...(thinkingSignature === undefined ? {} : { thinkingSignature }), ...more }
}
