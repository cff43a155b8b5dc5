// Runs the provider contract against the adapter of Bedrock's ConverseStream.
import { httpFetch } from '../../../lib/host/http/http-fetch.ts'
import { bedrockConverseStream } from '../../../lib/providers/endpoints/apis.ts'
import { apiContract } from '../adapter/api-contract.ts'
import type { Wire } from '../adapter/api-contract.ts'
import { bedrockFramesOf, ending, event, mediaType } from './bedrock-events.ts'

const wire: Wire = {
  api: 'bedrock-converse-stream',
  provider: (url) => bedrockConverseStream({ provider: 'test', baseUrl: url }),
  frames: bedrockFramesOf,
  ending: (output) => ending(output.some((part) => 'call' in part) ? 'tool_use' : 'end_turn'),
  garbage: event('contentBlockDelta', '{"delta": {"text"'),
  mediaType,
}
apiContract(wire)
apiContract({
  ...wire,
  api: 'bedrock-converse-stream over httpFetch',
  provider: (url) => bedrockConverseStream({ provider: 'test', baseUrl: url, fetch: httpFetch }),
})
apiContract({
  ...wire,
  api: 'bedrock-converse-stream over httpFetch, asked before',
  provider: (url) => bedrockConverseStream({ provider: 'test', baseUrl: url, fetch: httpFetch }),
  requestsBefore: true,
})
