// Runs the provider contract against the adapter of Mistral's own API.
import { httpFetch } from '../../../lib/host/http/http-fetch.ts'
import { mistralConversations } from '../../../lib/providers/endpoints/apis.ts'
import { apiContract } from '../adapter/api-contract.ts'
import { garbageFrame } from '../openai/openai-frames.ts'
import { mistralEnding, mistralFrames } from './mistral-frames.ts'

const wire = {
  api: 'mistral-conversations',
  provider: (url: string) => mistralConversations({ provider: 'test', baseUrl: url }),
  frames: mistralFrames,
  ending: (output: Parameters<typeof mistralFrames>[0]) =>
    mistralEnding(output.some((part) => 'call' in part) ? 'tool_calls' : 'stop'),
  garbage: garbageFrame,
}
apiContract(wire)
apiContract({
  ...wire,
  api: 'mistral-conversations over httpFetch',
  provider: (url) => mistralConversations({ provider: 'test', baseUrl: url, fetch: httpFetch }),
})
apiContract({
  ...wire,
  api: 'mistral-conversations over httpFetch, asked before',
  provider: (url) => mistralConversations({ provider: 'test', baseUrl: url, fetch: httpFetch }),
  requestsBefore: true,
})
