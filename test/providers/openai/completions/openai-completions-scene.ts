// Returns a chat completion request as it is sent.
import { openAiCompletions } from '../../../../lib/providers/endpoints/apis.ts'
import type { OpenAiCompletionsOptions } from '../../../../lib/providers/openai/completions/openai-completions-options.ts'
import type { Model } from '../../../../lib/streams/models/model.ts'
import { requestsWire } from '../../adapter/sent-request.ts'

export const model: Model = {
  id: 'm',
  provider: 'maker',
  api: 'openai-completions',
  inputs: ['text'],
  reasoning: false,
}

export const {
  deltasOf,
  answeredWith: answered,
  failed,
} = requestsWire<OpenAiCompletionsOptions>(model, (options) => openAiCompletions({ provider: 'maker', ...options }))
