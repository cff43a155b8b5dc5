// Runs the provider contract against the chat completions adapter, with a key and with a Copilot plan.
import { httpFetch } from '../../../../lib/host/http/http-fetch.ts'
import { openAiCompletions } from '../../../../lib/providers/endpoints/apis.ts'
import { completionEnding, completionFrames, garbageFrame } from '../openai-frames.ts'
import { apiContract } from '../../adapter/api-contract.ts'
import { planProvider } from '../../adapter/plan-provider.ts'

const wire = {
  api: 'openai-completions',
  provider: (url: string) => openAiCompletions({ provider: 'test', baseUrl: `${url}/v1` }),
  frames: completionFrames,
  ending: completionEnding,
  garbage: garbageFrame,
}
apiContract(wire)
apiContract({
  ...wire,
  api: 'openai-completions over httpFetch',
  provider: (url) => openAiCompletions({ provider: 'test', baseUrl: `${url}/v1`, fetch: httpFetch }),
})
apiContract({
  ...wire,
  api: 'openai-completions over httpFetch, asked before',
  provider: (url) => openAiCompletions({ provider: 'test', baseUrl: `${url}/v1`, fetch: httpFetch }),
  requestsBefore: true,
})
apiContract({
  ...wire,
  api: 'openai-completions of Copilot',
  isDialect: true,
  provider: (url) => planProvider('github-copilot/gemini-3.8-flash', url),
})
