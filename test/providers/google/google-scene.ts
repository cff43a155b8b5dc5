// Returns a request to Google's API as it is sent.
import { googleGenerativeAi } from '../../../lib/providers/endpoints/apis.ts'
import type { GoogleOptions } from '../../../lib/providers/google/google-options.ts'
import type { Model } from '../../../lib/streams/models/model.ts'
import { requestsWire } from '../adapter/sent-request.ts'

export const model: Model = {
  id: 'm',
  provider: 'maker',
  api: 'google-generative-ai',
  inputs: ['text'],
  reasoning: false,
}

export const { deltasOf, answered, failed } = requestsWire<GoogleOptions>(model, (options) =>
  googleGenerativeAi({ provider: 'maker', ...options }),
)
