// Tests that a conversation can continue with a model of another API.
// Over 250 lines: the answers of six APIs, and every pair of them.
import { Type } from '@sinclair/typebox'
import { lastValueFrom, toArray } from 'rxjs'
import { describe, expect, it } from 'vitest'
import {
  anthropicMessages,
  bedrockConverseStream,
  googleGenerativeAi,
  mistralConversations,
  openAiCompletions,
  openAiResponses,
} from '../../../lib/providers/endpoints/apis.ts'
import type { AssistantMessage, Message, ToolResultMessage } from '../../../lib/streams/messages/message.ts'
import type { Model } from '../../../lib/streams/models/model.ts'
import type { Provider } from '../../../lib/streams/ports/provider.ts'
import { rawSseServer } from '../../support/raw-sse-server.ts'
import type { RawAnswer, RawStep } from '../../support/raw-sse-server.ts'
import { aRequest } from '../offline/a-request.ts'
import { callBlock, messageEnd, messageStart, textBlock, thinkingBlock } from '../anthropic/anthropic-events.ts'
import {
  callBlock as bedrockCall,
  ending as bedrockEnding,
  mediaType,
  messageStart as bedrockStart,
  textBlock as bedrockText,
  thinkingBlock as bedrockThinking,
} from '../bedrock/bedrock-events.ts'
import { foldDeltas } from '../offline/fold-deltas.ts'
import { chunk as googleChunk, lastChunk } from '../google/google-chunks.ts'
import { aUser } from './messages.ts'
import { callChunk, chunk, ending } from '../openai/openai-chunks.ts'
import { mistralEnding, thinkingChunk } from '../mistral/mistral-frames.ts'
import { requestRules } from './request-rules.ts'
import { callItem, completed, created, reasoningItem, textItem } from '../openai/responses/responses-events.ts'

interface Wire {
  provider(baseUrl: string): Provider
  /** An answer of this API with thinking, text and two tool calls. */
  readonly answer: readonly RawStep[]
  /** @default server-sent events */
  readonly mediaType?: string
  /** A text that no other model may receive. */
  readonly secret: string
}

const reads = ['{"path":"a"}', '{"path":"b"}'] as const
const longId = `call_${'y'.repeat(50)}|fc.1`
const wires: Readonly<Record<string, Wire>> = {
  'openai-completions': {
    provider: (baseUrl) => openAiCompletions({ provider: 'maker', baseUrl, compat: { replayThinking: true } }),
    answer: [
      chunk({ reasoning_content: 'Thought of completions.' }),
      chunk({ content: 'Said by completions.' }),
      callChunk(0, reads[0], { id: longId, name: 'read' }),
      callChunk(1, reads[1], { id: 'call_2', name: 'read' }),
      ending('tool_calls'),
    ],
    secret: 'Thought of completions.',
  },
  'mistral-conversations': {
    provider: (baseUrl) => mistralConversations({ provider: 'maker', baseUrl }),
    answer: [
      thinkingChunk('Thought of mistral.'),
      chunk({ content: 'Said by mistral.' }),
      callChunk(0, reads[0], { id: 'D681PevKs', name: 'read' }),
      callChunk(1, reads[1], { id: 'null', name: 'read' }),
      mistralEnding('tool_calls'),
    ],
    secret: 'Thought of mistral.',
  },
  'bedrock-converse-stream': {
    provider: (baseUrl) => bedrockConverseStream({ provider: 'maker', baseUrl, compat: { thinking: 'budget' } }),
    mediaType,
    answer: [
      bedrockStart,
      ...bedrockThinking(0, 'Thought of bedrock.', 'sealed-by-bedrock'),
      ...bedrockText(1, 'Said by bedrock.'),
      ...bedrockCall(2, 'tooluse_1', 'read', reads[0]),
      ...bedrockCall(3, 'tooluse_2', 'read', reads[1]),
      bedrockEnding('tool_use'),
    ],
    secret: 'sealed-by-bedrock',
  },
  'openai-responses': {
    provider: (baseUrl) => openAiResponses({ provider: 'maker', baseUrl }),
    answer: [
      created,
      ...reasoningItem(0, 'sealed-by-responses', 'Thought of responses.'),
      ...textItem(1, 'Said by responses.', { phase: 'commentary' }),
      ...callItem(2, longId, 'read', reads[0]),
      ...callItem(3, 'call_2', 'read', reads[1]),
      completed(),
    ],
    secret: 'sealed-by-responses',
  },
  'anthropic-messages': {
    provider: (baseUrl) => anthropicMessages({ provider: 'maker', baseUrl }),
    answer: [
      messageStart(),
      ...thinkingBlock(0, 'sealed-by-messages', 'Thought of messages.'),
      ...textBlock(1, 'Said by messages.'),
      ...callBlock(2, 'toolu_1', 'read', reads[0]),
      ...callBlock(3, 'toolu_2', 'read', reads[1]),
      ...messageEnd('tool_use'),
    ],
    secret: 'sealed-by-messages',
  },
  'google-generative-ai': {
    provider: (baseUrl) => googleGenerativeAi({ provider: 'maker', baseUrl, compat: { signedCalls: true } }),
    answer: [
      googleChunk([{ text: 'Thought of google.', thought: true }]),
      googleChunk([{ text: 'Said by google.' }]),
      googleChunk([
        { functionCall: { name: 'read', args: { path: 'a' } }, thoughtSignature: 'sealed-by-google' },
        { functionCall: { name: 'read', args: { path: 'b' } } },
      ]),
      lastChunk(),
    ],
    secret: 'sealed-by-google',
  },
}

const names = Object.keys(wires)
const pairs = names.flatMap((from) => names.map((to) => [from, to] as const))
const tools = [{ name: 'read', description: 'Reads.', parameters: Type.Object({ path: Type.String() }) }]
const png = { type: 'image', mimeType: 'image/png', data: 'AAAA' } as const

function modelOf(api: string): Model {
  return {
    id: `model-of-${api}`,
    provider: 'maker',
    api,
    inputs: ['text', 'image'],
    reasoning: true,
    maxOutput: 32_000,
  }
}

function wireOf(api: string): Wire {
  const wire = wires[api]
  if (wire === undefined) throw new Error(`no wire ${api}`)
  return wire
}

function rawAnswer(api: string): RawAnswer {
  const { answer, mediaType: type = 'text/event-stream' } = wireOf(api)
  return { headers: { 'content-type': type }, body: answer }
}

/** Returns the model's answer, folded from the response. */
async function answerOf(api: string): Promise<AssistantMessage> {
  const { provider } = wireOf(api)
  await using server = await rawSseServer(rawAnswer(api))
  const model = modelOf(api)
  const sentRequests = aRequest({ model, messages: [aUser('Go.')], tools })
  const deltas = await lastValueFrom(provider(server.url)(sentRequests).pipe(toArray()), { defaultValue: [] })
  return { ...foldDeltas(deltas), api, provider: 'maker', model: model.id }
}

/** Returns the body of the request to that model. */
async function bodyFor(api: string, messages: readonly Message[]): Promise<Readonly<Record<string, unknown>>> {
  const { provider } = wireOf(api)
  await using server = await rawSseServer(rawAnswer(api))
  const sentRequests = aRequest({ model: modelOf(api), system: 'Be brief.', messages, tools, thinkingLevel: 'high' })
  await lastValueFrom(provider(server.url)(sentRequests), { defaultValue: undefined })
  return server.requests[0]?.json() as Record<string, unknown>
}

function resultsOf({ content }: AssistantMessage): ToolResultMessage[] {
  const calls = content.filter((block) => block.type === 'toolCall')
  return calls.map(({ id, name }, index) => ({
    role: 'toolResult',
    toolCallId: id,
    toolName: name,
    content: [{ type: 'text', text: `Result ${index + 1}` }, ...(index === 0 ? [png] : [])],
    isError: index === 1,
    timestamp: 0,
  }))
}

describe('a change of the model', () => {
  it.each(pairs)(
    'sends a valid request in the middle of a tool run, from %s to %s [LOOP-33a, LOOP-33c, LOOP-33d]',
    async (from, to) => {
      const answer = await answerOf(from)
      const results = resultsOf(answer)
      expect(results).toHaveLength(2)
      for (const output of [[], [aUser([{ type: 'text', text: 'Look closer.' }, png])]]) {
        const body = await bodyFor(to, [aUser('Read a and b.'), answer, ...results, ...output])
        expect(requestRules[to]?.(body)).toEqual([])
        const wire = JSON.stringify(body)
        for (const { content } of output) expect(wire).toContain((content[0] as { text: string }).text)
        for (const text of ['Read a and b.', 'Said by', 'Result 1', 'Result 2', 'AAAA']) expect(wire).toContain(text)
        expect(wire.includes(wireOf(from).secret)).toBe(from === to)
      }
    },
  )

  it.each(pairs)('sends a valid request after a change and back: from %s to %s to %s', async (first, second) => {
    const [one, two] = [await answerOf(first), await answerOf(second)]
    const messages = [
      aUser('Read.'),
      one,
      ...resultsOf(one),
      two,
      ...resultsOf(two),
      aUser('More.'),
      one,
      ...resultsOf(one),
    ]
    const body = await bodyFor(first, messages)
    expect(requestRules[first]?.(body)).toEqual([])
    expect(JSON.stringify(body)).toContain('More.')
  })

  it.each(names)('sends a valid request after aborted calls, to %s', async (to) => {
    const answer = await answerOf('openai-responses')
    const body = await bodyFor(to, [aUser('Read.'), { ...answer, stopReason: 'aborted' }, aUser('Go on.')])
    expect(requestRules[to]?.(body)).toEqual([])
  })
})

describe('the request rules', () => {
  const call = { tool_calls: [{ id: 'c', function: { arguments: '{}' } }] }
  const toolUse = { role: 'assistant', content: [{ type: 'tool_use', id: 'c', input: {} }] }
  const user = { role: 'user', content: [{ type: 'text', text: 'a' }] }
  const bedrockUser = { role: 'user', content: [{ text: 'a' }] }
  const functionCall = { functionCall: { name: 'read' }, thoughtSignature: 's' }
  const output = { role: 'user', parts: [{ text: 'a' }] }
  it.each<[string, object, string]>([
    [
      'openai-completions',
      {
        messages: [
          { role: 'assistant', ...call },
          { role: 'user', content: 'a' },
        ],
      },
      'calls without',
    ],
    ['openai-completions', { messages: [{ role: 'tool', tool_call_id: 'c', content: 'a' }] }, 'result without'],
    [
      'openai-responses',
      { store: false, input: [{ type: 'function_call', call_id: 'c', arguments: '{}' }] },
      'calls without',
    ],
    ['openai-responses', { store: false, input: [{ type: 'reasoning', encrypted_content: 'e' }] }, 'reasoning alone'],
    ['openai-responses', { input: [] }, 'stored'],
    ['mistral-conversations', { messages: [{ role: 'assistant', tool_calls: [{ ...call.tool_calls[0] }] }] }, 'id c'],
    [
      'mistral-conversations',
      {
        messages: [
          { role: 'tool', content: 'a' },
          { role: 'user', content: 'a' },
        ],
      },
      'right after',
    ],
    ['anthropic-messages', { messages: [user, toolUse, user] }, 'calls without'],
    ['anthropic-messages', { messages: [user, user] }, 'alternate'],
    [
      'anthropic-messages',
      { messages: [user, { role: 'assistant', content: [{ type: 'thinking' }] }, user] },
      'signature',
    ],
    [
      'anthropic-messages',
      {
        thinking: { type: 'enabled', budget_tokens: 1024 },
        max_tokens: 2000,
        messages: [user, toolUse, { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'a' }] }],
      },
      'begin with thinking',
    ],
    [
      'bedrock-converse-stream',
      { messages: [bedrockUser, { role: 'assistant', content: [{ toolUse: { toolUseId: 'c' } }] }, bedrockUser] },
      'calls without',
    ],
    ['bedrock-converse-stream', { messages: [bedrockUser, bedrockUser] }, 'alternate'],
    ['bedrock-converse-stream', { messages: [{ role: 'user', content: [{ text: ' ' }] }] }, 'blank'],
    ['google-generative-ai', { contents: [output, { role: 'model', parts: [functionCall] }, output] }, 'calls without'],
    ['google-generative-ai', { contents: [{ role: 'model', parts: [{ text: 'a' }] }] }, 'does not begin'],
  ])('find the fault in a body for %s', (api, body, says) => {
    expect(requestRules[api]?.(body as Readonly<Record<string, unknown>>).join('; ')).toContain(says)
  })
})
