// Returns the body that a chat completion request sends.
import { defaultCompat } from '../../../../lib/providers/openai/completions/openai-completions-options.ts'
import type { OpenAiCompletionsCompat } from '../../../../lib/providers/openai/completions/openai-completions-options.ts'
import { openAiCompletionsRequest } from '../../../../lib/providers/openai/completions/openai-completions-request.ts'
import type { Message } from '../../../../lib/streams/messages/message.ts'
import type { Model } from '../../../../lib/streams/models/model.ts'
import type { ProviderRequest } from '../../../../lib/streams/ports/provider.ts'
import { aRequest } from '../../offline/a-request.ts'

export const model: Model = {
  id: 'm',
  provider: 'maker',
  api: 'openai-completions',
  inputs: ['text', 'image'],
  reasoning: true,
  maxOutput: 1000,
}

export const png = { type: 'image', mimeType: 'image/png', data: 'AAAA' } as const

/** Returns the body as it is sent. */
export function bodyOf(fields: Partial<ProviderRequest>, compat: Partial<OpenAiCompletionsCompat> = {}): unknown {
  const body = openAiCompletionsRequest(aRequest({ model, ...fields }), { ...defaultCompat, ...compat })
  return JSON.parse(JSON.stringify(body))
}

export function messagesOf(messages: readonly Message[], fields: Partial<ProviderRequest> = {}, compat = {}): unknown {
  return (bodyOf({ messages, ...fields }, compat) as { messages: unknown }).messages
}
