// Runs the provider contract against the Responses API adapter, for keys and for plans.
import { openAiResponses } from '../../../../lib/providers/endpoints/apis.ts'
import { completed, event, response } from './responses-events.ts'
import { framesOf } from './responses-frames.ts'
import { apiContract } from '../../adapter/api-contract.ts'
import { planProvider } from '../../adapter/plan-provider.ts'

const garbage = 'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta"\n\n'

apiContract({
  api: 'openai-responses',
  provider: (url) => openAiResponses({ provider: 'test', baseUrl: `${url}/v1` }),
  frames: framesOf,
  ending: () => completed(),
  garbage,
})

apiContract({
  api: 'openai-responses of ChatGPT',
  isDialect: true,
  provider: (url) => planProvider('openai-codex/gpt-6.1-sol', url),
  frames: framesOf,
  ending: () => event('response.done', { response: response('completed') }),
  garbage,
})

apiContract({
  api: 'openai-responses of Copilot',
  isDialect: true,
  provider: (url) => planProvider('github-copilot/gpt-6.1-sol', url),
  frames: framesOf,
  ending: () => completed(),
  garbage,
})
