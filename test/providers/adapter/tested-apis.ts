// Lists the APIs whose frames are server-sent events, each with its smallest possible answer.
import {
  anthropicMessages,
  googleGenerativeAi,
  mistralConversations,
  openAiCompletions,
  openAiResponses,
} from '../../../lib/providers/endpoints/apis.ts'
import type { EndpointOptions } from '../../../lib/providers/adapter/sdk-response.ts'
import type { Provider } from '../../../lib/streams/ports/provider.ts'
import { block, event as anthropicEvent, messageEnd, messageStart } from '../anthropic/anthropic-events.ts'
import { mistralEnding } from '../mistral/mistral-frames.ts'
import { chunk as googleChunk, frame as googleFrame, lastChunk } from '../google/google-chunks.ts'
import { ending, frame, textChunk } from '../openai/openai-chunks.ts'
import { completed, created, event, item, textPiece } from '../openai/responses/responses-events.ts'

export interface TestedApi {
  readonly api: string
  provider(options: EndpointOptions): Provider
  /** The text `a`, without the end of the answer. */
  readonly begun: readonly string[]
  /** The end of the answer. */
  readonly end: readonly string[]
  /** An error in the middle of a stream, without an `event:` line. */
  readonly error: string
}

const output = { code: 'server_error', message: 'It broke' }
const anthropicText = block(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'a' })
const responsesText = item(0, { type: 'message' }, textPiece('a'))

export const testedApis: readonly TestedApi[] = [
  {
    api: 'openai-completions',
    provider: openAiCompletions,
    begun: [textChunk('a')],
    end: [ending()],
    error: frame({ error: output }),
  },
  {
    api: 'openai-responses',
    provider: openAiResponses,
    begun: [created, ...responsesText.slice(0, 2)],
    end: [...responsesText.slice(2), completed()],
    error: withoutName(event('error', output)),
  },
  {
    api: 'anthropic-messages',
    provider: anthropicMessages,
    begun: [messageStart(), ...anthropicText.slice(0, 2)],
    end: [...anthropicText.slice(2), ...messageEnd()],
    error: withoutName(anthropicEvent({ type: 'error', error: { type: 'api_error', message: output.message } })),
  },
  {
    api: 'google-generative-ai',
    provider: googleGenerativeAi,
    begun: [googleChunk([{ text: 'a' }])],
    end: [lastChunk()],
    error: googleFrame({ error: { code: 500, message: output.message, status: 'INTERNAL' } }),
  },
  {
    api: 'mistral-conversations',
    provider: mistralConversations,
    begun: [textChunk('a')],
    end: [mistralEnding()],
    error: frame({ object: 'error', message: output.message, type: output.code, code: '1000' }),
  },
]

function withoutName(frameOf: string): string {
  return frameOf.replace(/^event: .*\n/, '')
}
