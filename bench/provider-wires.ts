// An answer of many small deltas on each API, and its readers: adapter, SDK, bare parser.
import { Anthropic } from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import { OpenAI } from 'openai'
import {
  anthropicMessages,
  googleGenerativeAi,
  openAiCompletions,
  openAiResponses,
} from '../lib/providers/endpoints/apis.ts'
import type { EndpointOptions } from '../lib/providers/adapter/sdk-response.ts'
import type { Provider } from '../lib/streams/ports/provider.ts'
import { textPiece } from './text-piece.ts'

export interface BenchedApi {
  readonly api: string
  /** The whole answer, frame by frame. */
  frames(deltas: number): Iterable<string>
  /** The same with pieces of a tool call's argument instead of text. */
  argumentFrames(deltas: number): Iterable<string>
  readonly provider: (options: EndpointOptions) => Provider
  /** The values of the SDK's own iterator, one after the other. */
  iterate(fetch: typeof globalThis.fetch): Promise<AsyncIterable<unknown>>
}

const user = { role: 'user', content: 'Hello' } as const
const apiKey = 'none'
const baseURL = 'http://bench.invalid'

const openAi = (fetch: typeof globalThis.fetch) => new OpenAI({ apiKey, baseURL, fetch, maxRetries: 0 })
const anthropic = (fetch: typeof globalThis.fetch) => new Anthropic({ apiKey, baseURL, fetch, maxRetries: 0 })

function named(type: string, fields: object = {}): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
}

function data(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`
}

function* between(head: readonly string[], piece: (text: string) => string, deltas: number, tail: readonly string[]) {
  yield* head
  for (let index = 0; index < deltas; index++) yield piece(textPiece(index))
  yield* tail
}

/** The pieces of one JSON object whose only text is as long as the message. */
function inJson(piece: (text: string) => string): { head: string; piece: (text: string) => string; tail: string } {
  return { head: piece('{"text":"'), piece: (text) => piece(JSON.stringify(text).slice(1, -1)), tail: piece('"}') }
}

const chunk = (delta: object, finish: string | null = null): string =>
  data({ id: 'c', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })
const chatUsage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 }
const chatEnd = (finish: string): string[] => [
  chunk({}, finish),
  data({ id: 'c', object: 'chat.completion.chunk', model: 'm', choices: [], usage: chatUsage }),
  'data: [DONE]\n\n',
]

const completions: BenchedApi = {
  api: 'openai-completions',
  frames: (deltas) => between([], (content) => chunk({ content }), deltas, chatEnd('stop')),
  argumentFrames: (deltas) => {
    const json = inJson((text) => chunk({ tool_calls: [{ index: 0, function: { arguments: text } }] }))
    const first = chunk({ tool_calls: [{ index: 0, id: 'c', function: { name: 'write', arguments: '' } }] })
    return between([first, json.head], json.piece, deltas, [json.tail, ...chatEnd('tool_calls')])
  },
  provider: openAiCompletions,
  iterate: async (fetch) => openAi(fetch).chat.completions.create({ model: 'm', messages: [user], stream: true }),
}

const item = (kind: 'added' | 'done', fields: object): string =>
  named(`response.output_item.${kind}`, { output_index: 0, item: fields })
const response = { id: 'r', object: 'response', model: 'm' }
const responseEnd = named('response.completed', {
  response: {
    ...response,
    status: 'completed',
    output: [],
    usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
  },
})
const responsePiece = (kind: string, delta: string): string =>
  named(`response.${kind}.delta`, { item_id: 'i', output_index: 0, content_index: 0, delta, sequence_number: 1 })

const responses: BenchedApi = {
  api: 'openai-responses',
  frames: (deltas) =>
    between(
      [named('response.created', { response }), item('added', { type: 'message' })],
      (text) => responsePiece('output_text', text),
      deltas,
      [item('done', { type: 'message' }), responseEnd],
    ),
  argumentFrames: (deltas) => {
    const json = inJson((text) => responsePiece('function_call_arguments', text))
    const call = { type: 'function_call', call_id: 'c', name: 'write' }
    const head = [named('response.created', { response }), item('added', call), json.head]
    return between(head, json.piece, deltas, [json.tail, item('done', call), responseEnd])
  },
  provider: openAiResponses,
  iterate: async (fetch) => openAi(fetch).responses.create({ model: 'm', input: 'Hello', stream: true }),
}

const blockPiece = (delta: object): string => named('content_block_delta', { index: 0, delta })
const messageHead = (block: object): string[] => [
  named('message_start', {
    message: { id: 'm', model: 'm', content: [], usage: { input_tokens: 1, output_tokens: 1 } },
  }),
  named('content_block_start', { index: 0, content_block: block }),
]
const messageEnd = [
  named('content_block_stop', { index: 0 }),
  named('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } }),
  named('message_stop'),
]

const messages: BenchedApi = {
  api: 'anthropic-messages',
  frames: (deltas) =>
    between(
      messageHead({ type: 'text', text: '' }),
      (text) => blockPiece({ type: 'text_delta', text }),
      deltas,
      messageEnd,
    ),
  argumentFrames: (deltas) => {
    const json = inJson((text) => blockPiece({ type: 'input_json_delta', partial_json: text }))
    const head = [...messageHead({ type: 'tool_use', id: 'c', name: 'write', input: {} }), json.head]
    return between(head, json.piece, deltas, [json.tail, ...messageEnd])
  },
  provider: anthropicMessages,
  iterate: async (fetch) =>
    anthropic(fetch).messages.create({ model: 'm', max_tokens: 1, messages: [user], stream: true }),
}

const parts = (part: object, more: object = {}): string =>
  data({
    candidates: [{ content: { role: 'model', parts: [part] }, index: 0, ...more }],
    modelVersion: 'm',
    responseId: 'r',
  })

const google: BenchedApi = {
  api: 'google-generative-ai',
  frames: (deltas) => between([], (text) => parts({ text }), deltas, [parts({ text: '' }, { finishReason: 'STOP' })]),
  argumentFrames: (deltas) => {
    const piece = (stringValue: string): string =>
      parts({
        functionCall: { partialArgs: [{ jsonPath: '$.text', stringValue, willContinue: true }], willContinue: true },
      })
    const head = [parts({ functionCall: { name: 'write', id: 'c', willContinue: true } })]
    return between(head, piece, deltas, [parts({ functionCall: {} }, { finishReason: 'STOP' })])
  },
  provider: googleGenerativeAi,
  iterate: (fetch) => {
    const client = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: baseURL, fetch } })
    return client.models.generateContentStream({ model: 'm', contents: 'Hello' })
  },
}

export const benchedApis: readonly BenchedApi[] = [completions, responses, messages, google]
