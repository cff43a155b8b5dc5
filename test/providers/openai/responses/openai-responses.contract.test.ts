// Runs the provider contract against the Responses API adapter, as OpenAI's API and as ChatGPT's backend speak it.
import { openAiResponses } from '../../../../lib/providers/endpoints/apis.ts'
import { planPresets } from '../../../../lib/providers/endpoints/presets-plans.ts'
import { completed, event, response } from './responses-events.ts'
import { framesOf } from './responses-frames.ts'
import { apiContract } from '../../adapter/api-contract.ts'

const garbage = 'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta"\n\n'

apiContract({
  api: 'openai-responses',
  provider: (url) => openAiResponses({ provider: 'test', baseUrl: `${url}/v1` }),
  frames: framesOf,
  ending: () => completed(),
  garbage,
})

const { 'openai-codex': codex } = planPresets

apiContract({
  api: 'openai-responses of ChatGPT',
  isDialect: true,
  provider: (url) =>
    openAiResponses({
      ...{ provider: 'test', baseUrl: `${url}/codex`, onlyBearer: true },
      headers: codex?.account?.headers ?? {},
      compat: codex?.compat?.['openai-responses'] ?? {},
    }),
  frames: framesOf,
  ending: () => event('response.done', { response: response('completed') }),
  garbage,
})
