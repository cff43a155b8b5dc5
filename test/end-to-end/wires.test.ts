// Tests one conversation over several wires; every request follows the rules of its API.
import { expect, it } from 'vitest'
import {
  callBlock,
  messageEnd,
  messageStart,
  textBlock,
  thinkingBlock,
} from '../providers/anthropic/anthropic-events.ts'
import { chunk as googleChunk, lastChunk } from '../providers/google/google-chunks.ts'
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
import type { RawRequest } from '../support/raw-sse-server.ts'

const reads = '{"path":"a.txt"}'

interface Spoken {
  readonly api: string
  readonly model: string
  /** The answer that calls `read`, before the model has the tool result. */
  readonly calls: readonly string[]
  readonly says: readonly string[]
}

const spoken: readonly Spoken[] = [
  {
    api: 'anthropic-messages',
    model: 'anthropic/claude-haiku-4-5',
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
    calls: [
      googleChunk([{ functionCall: { name: 'read', args: { path: 'a.txt' } }, thoughtSignature: 's' }]),
      lastChunk(),
    ],
    says: [googleChunk([{ text: 'said by google' }]), lastChunk()],
  },
  {
    api: 'openai-responses',
    model: 'azure/gpt-6-sol',
    calls: [created, ...reasoningItem(0, 's', 'Hm.'), ...callItem(1, 'call_1', 'read', reads), completed()],
    says: [created, ...textItem(0, 'said by responses'), completed()],
  },
  {
    api: 'openai-completions',
    model: 'openai/gpt-6-sol',
    calls: [callChunk(0, reads, { id: 'call_1', name: 'read' }), ending('tool_calls')],
    says: [textChunk('said by completions'), ending()],
  },
]

/** Chooses the wire by the path: an even request gets the tool call, an odd one the final text. */
function answerTo({ path, body }: RawRequest, sentRequests: number): readonly string[] {
  const kinds = ['/v1/messages', ':streamGenerateContent', '/openai/', '/chat/completions']
  const wire = spoken[kinds.findIndex((kind) => path.includes(kind))]
  if (wire === undefined) throw new Error(`nobody answers ${path}`)
  expect(body).toContain('What stands in a.txt?')
  return sentRequests % 2 === 0 ? wire.calls : wire.says
}

it('a session continues from model to model of every API, tools included', async () => {
  await using server = await rawSseServer((request, number) => ({ body: answerTo(request, number) }))
  using workspace = workplace({ 'a.txt': 'the moon base' })
  const env = {
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_BASE_URL: server.url,
    GEMINI_API_KEY: 'k',
    GOOGLE_GEMINI_BASE_URL: server.url,
    AZURE_OPENAI_API_KEY: 'k',
    AZURE_OPENAI_ENDPOINT: server.url,
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
      const output = before.says.find((frame) => frame.includes('said by')) ?? ''
      expect(JSON.stringify(bodies[0])).toContain(/said by \w+/.exec(output)?.[0] ?? 'nothing')
    }
  }
}, 60_000)
