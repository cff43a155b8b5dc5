// Tests one conversation over several wires; every request follows the rules of its API.
import { expect, it } from 'vitest'
import {
  callBlock,
  messageEnd,
  messageStart,
  textBlock,
  thinkingBlock,
} from '../providers/anthropic/anthropic-events.ts'
import {
  callBlock as bedrockCall,
  ending as bedrockEnding,
  mediaType,
  messageStart as bedrockStart,
  textBlock as bedrockText,
  thinkingBlock as bedrockThinking,
} from '../providers/bedrock/bedrock-events.ts'
import { chunk as googleChunk, lastChunk } from '../providers/google/google-chunks.ts'
import { mistralEnding, thinkingChunk } from '../providers/mistral/mistral-frames.ts'
import { callChunk, ending, textChunk } from '../providers/openai/openai-chunks.ts'
import { requestRules } from '../providers/adapter/request-rules.ts'
import {
  callItem,
  completed,
  created,
  reasoningItem,
  textItem,
} from '../providers/openai/responses/responses-events.ts'
import { workplace } from '../support/command.ts'
import { rawSseServer } from '../support/raw-sse-server.ts'
import type { RawAnswer, RawRequest, RawStep } from '../support/raw-sse-server.ts'

const reads = '{"path":"a.txt"}'

interface Spoken {
  readonly api: string
  readonly model: string
  /** A part of the path of its requests. */
  readonly path: string
  /** The answer that calls `read`, before the model has the tool result. */
  readonly calls: readonly RawStep[]
  readonly says: readonly RawStep[]
  /** @default server-sent events */
  readonly mediaType?: string
}

const spoken: readonly Spoken[] = [
  {
    api: 'anthropic-messages',
    model: 'anthropic/claude-haiku-4-5',
    path: '/v1/messages',
    calls: [
      messageStart(),
      ...thinkingBlock(0, 's', 'Hm.'),
      ...callBlock(1, 'toolu_1', 'read', reads),
      ...messageEnd('tool_use'),
    ],
    says: [messageStart(), ...textBlock(0, 'said by messages'), ...messageEnd()],
  },
  {
    api: 'google-generative-ai',
    model: 'google/gemini-3.5-flash',
    path: ':streamGenerateContent',
    calls: [
      googleChunk([{ functionCall: { name: 'read', args: { path: 'a.txt' } }, thoughtSignature: 's' }]),
      lastChunk(),
    ],
    says: [googleChunk([{ text: 'said by google' }]), lastChunk()],
  },
  {
    api: 'openai-responses',
    model: 'azure/gpt-6-sol',
    path: '/openai/',
    calls: [created, ...reasoningItem(0, 's', 'Hm.'), ...callItem(1, 'call_1', 'read', reads), completed()],
    says: [created, ...textItem(0, 'said by responses'), completed()],
  },
  {
    api: 'bedrock-converse-stream',
    model: 'bedrock/us.anthropic.claude-opus-4-6-v1',
    path: '/converse-stream',
    mediaType,
    calls: [
      bedrockStart,
      ...bedrockThinking(0, 'Hm.', 's'),
      ...bedrockCall(1, 'tooluse_1', 'read', reads),
      bedrockEnding('tool_use'),
    ],
    says: [bedrockStart, ...bedrockText(0, 'said by bedrock'), bedrockEnding()],
  },
  {
    api: 'mistral-conversations',
    model: 'mistral/mistral-small-latest',
    path: '/mistral/v1/',
    calls: [thinkingChunk('Hm.'), callChunk(0, reads, { id: 'D681PevKs', name: 'read' }), mistralEnding('tool_calls')],
    says: [textChunk('said by mistral'), mistralEnding()],
  },
  {
    api: 'openai-completions',
    model: 'openai/gpt-6-sol',
    path: '/v1/chat/completions',
    calls: [callChunk(0, reads, { id: 'call_1', name: 'read' }), ending('tool_calls')],
    says: [textChunk('said by completions'), ending()],
  },
]

/** Chooses the wire by the path: an even request gets the tool call, an odd one the final text. */
function answerTo({ path, body }: RawRequest, sentRequests: number): RawAnswer {
  const wire = spoken.find((each) => path.includes(each.path))
  if (wire === undefined) throw new Error(`nobody answers ${path}`)
  expect(body).toContain('What stands in a.txt?')
  const headers = { 'content-type': wire.mediaType ?? 'text/event-stream' }
  return { headers, body: sentRequests % 2 === 0 ? wire.calls : wire.says }
}

it('a session continues from model to model of every API, tools included', async () => {
  await using server = await rawSseServer(answerTo)
  using workspace = workplace({ 'a.txt': 'the moon base' })
  const mistral = { baseUrl: `${server.url}/mistral`, api: 'mistral-conversations' }
  workspace.configure('models.json', { providers: { mistral } })
  const env = {
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_BASE_URL: server.url,
    GEMINI_API_KEY: 'k',
    GOOGLE_GEMINI_BASE_URL: server.url,
    AZURE_OPENAI_API_KEY: 'k',
    AZURE_OPENAI_ENDPOINT: server.url,
    AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'k',
    AWS_REGION: 'us-east-1',
    AWS_ENDPOINT_URL_BEDROCK_RUNTIME: server.url,
    MISTRAL_API_KEY: 'k',
    OPENAI_API_KEY: 'k',
    OPENAI_BASE_URL: `${server.url}/v1`,
  }
  for (const [index, { model, api }] of spoken.entries()) {
    const resume = index === 0 ? [] : ['-c']
    const prompt = ['-p', 'What stands in a.txt?', '--model', model, '--thinking', 'low']
    const { code, stdout, stderr } = await workspace.run([...prompt, ...resume], { env })
    expect({ code, stdout, stderr }).toMatchObject({ code: 0, stdout: expect.stringContaining('said by') as string })
    const bodies = server.requests
      .slice(index * 2)
      .map((request) => request.json() as Readonly<Record<string, unknown>>)
    expect(bodies).toHaveLength(2)
    for (const body of bodies) expect(requestRules[api]?.(body)).toEqual([])
    expect(JSON.stringify(bodies[1])).toContain('the moon base')
    for (const before of spoken.slice(0, index)) {
      const output = before.says.map(String).join('')
      expect(JSON.stringify(bodies[0])).toContain(/said by \w+/.exec(output)?.[0] ?? 'nothing')
    }
  }
}, 60_000)
