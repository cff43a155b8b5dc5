// Runs the provider contract end to end: a provider behind a real endpoint, seen by its client.
import { of } from 'rxjs'
import { openAiCompletions } from '../../../lib/providers/endpoints/apis.ts'
import { proxy } from '../../../lib/providers/proxy/proxy.ts'
import { scripted } from '../../../lib/providers/offline/scripted.ts'
import { apiContract } from '../../providers/adapter/api-contract.ts'
import { completionEnding, completionFrames, garbageFrame } from '../../providers/openai/openai-frames.ts'
import { startProxy, token } from './start-proxy.ts'

apiContract({
  api: 'proxy over openai-completions',
  provider: async (url) => {
    const model = { id: 'm', provider: 'test', api: 'openai-completions', inputs: ['text' as const], reasoning: false }
    const endpoint = await startProxy(scripted([]), {
      find: () => of({ model, provider: openAiCompletions({ provider: 'test', baseUrl: `${url}/v1` }) }),
    })
    return { provider: proxy({ url: endpoint.url, token }), close: () => endpoint[Symbol.asyncDispose]() }
  },
  frames: completionFrames,
  ending: completionEnding,
  garbage: garbageFrame,
})
