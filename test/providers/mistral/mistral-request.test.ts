// Tests the body of a request to Mistral's own API.
import { Type } from '@sinclair/typebox'
import { describe, expect, it } from 'vitest'
import { defaultMistralCompat } from '../../../lib/providers/mistral/mistral-options.ts'
import type { MistralCompat } from '../../../lib/providers/mistral/mistral-options.ts'
import { mistralRequest } from '../../../lib/providers/mistral/mistral-request.ts'
import type { Model } from '../../../lib/streams/models/model.ts'
import type { ProviderRequest } from '../../../lib/streams/ports/provider.ts'
import { aResult, aUser, anAnswer } from '../adapter/messages.ts'
import { aRequest } from '../offline/a-request.ts'

const model: Model = {
  id: 'm',
  provider: 'maker',
  api: 'mistral-conversations',
  inputs: ['text', 'image'],
  reasoning: true,
  maxOutput: 1000,
}
const own = { api: 'mistral-conversations' }
const png = { type: 'image', mimeType: 'image/png', data: 'AAAA' } as const
const tool = { name: 'read', description: 'Read a file.', parameters: Type.Object({ path: Type.String() }) }

function bodyOf(fields: Partial<ProviderRequest>, compat: Partial<MistralCompat> = {}): Record<string, unknown> {
  const body = mistralRequest(aRequest({ model, ...fields }), { ...defaultMistralCompat, ...compat })
  return JSON.parse(JSON.stringify(body)) as Record<string, unknown>
}

function messagesOf(...args: Parameters<typeof bodyOf>): unknown {
  return bodyOf(...args)['messages']
}

describe('the body of a request', () => {
  it('has no optional field by default', () => {
    expect(bodyOf({ messages: [aUser('Hello')] })).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'Hello' }],
      stream: true,
    })
  })

  it('has all fields of a full request', () => {
    const messages = [
      aUser('Read a and b.'),
      anAnswer(own, 'thinking', 'text', 'D681PevKs', 'toolu_long|1'),
      aResult('D681PevKs', 'A'),
      aResult('toolu_long|1', [{ type: 'text', text: 'B' }, png]),
      anAnswer(own, 'text'),
      aUser([{ type: 'text', text: 'And this?' }, png]),
    ]
    const fields = { messages, system: 'Be brief.', tools: [tool], thinkingLevel: 'high', temperature: 0.2 } as const
    expect(bodyOf({ ...fields, maxTokens: 5000, sessionId: 's', toolChoice: 'required' })).toEqual({
      model: 'm',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Read a and b.' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: [{ type: 'text', text: 'some thought' }] },
            { type: 'text', text: 'some text' },
          ],
          tool_calls: [
            { id: 'D681PevKs', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } },
            {
              id: expect.stringMatching(/^[a-z0-9]{9}$/) as string,
              type: 'function',
              function: { name: 'read', arguments: '{"path":"a"}' },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'D681PevKs', name: 'read', content: 'A' },
        {
          role: 'tool',
          tool_call_id: expect.stringMatching(/^[a-z0-9]{9}$/) as string,
          name: 'read',
          content: [
            { type: 'text', text: 'B' },
            { type: 'image_url', image_url: 'data:image/png;base64,AAAA' },
          ],
        },
        { role: 'assistant', content: 'some text' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'And this?' },
            { type: 'image_url', image_url: 'data:image/png;base64,AAAA' },
          ],
        },
      ],
      stream: true,
      tools: [
        {
          type: 'function',
          function: {
            name: 'read',
            description: 'Read a file.',
            parameters: { type: 'object', required: ['path'], properties: { path: { type: 'string' } } },
          },
        },
      ],
      tool_choice: 'required',
      prompt_mode: 'reasoning',
      temperature: 0.2,
      max_tokens: 1000,
      prompt_cache_key: 's',
    })
  })

  it.each<[ProviderRequest['thinkingLevel'], Partial<MistralCompat>, object]>([
    ['off', {}, {}],
    ['low', {}, { prompt_mode: 'reasoning' }],
    ['off', { thinking: 'effort' }, { reasoning_effort: 'none' }],
    ['low', { thinking: 'effort' }, { reasoning_effort: 'high' }],
    ['medium', { thinking: 'effort', effort: { medium: 'medium' } }, { reasoning_effort: 'medium' }],
    ['off', { thinking: 'effort', effort: { medium: 'medium' } }, {}],
  ])('requests thinking at level %s with %j', (thinkingLevel, compat, expected) => {
    const { model: _, messages: __, stream: ___, ...rest } = bodyOf({ thinkingLevel }, compat)
    expect(rest).toEqual(expected)
  })

  it('requests no thinking of a model that does not reason', () => {
    const plain = { ...model, reasoning: false }
    expect(bodyOf({ model: plain, thinkingLevel: 'high' })).not.toHaveProperty('prompt_mode')
    expect(bodyOf({ model: plain, thinkingLevel: 'high' }, { thinking: 'effort' })).not.toHaveProperty(
      'reasoning_effort',
    )
  })

  it('has the output schema only without tools, unless the endpoint accepts both', () => {
    const outputSchema = { type: 'object', properties: {}, required: [], additionalProperties: false }
    const format = { type: 'json_schema', json_schema: { name: 'answer', schema: outputSchema, strict: true } }
    expect(bodyOf({ outputSchema })['response_format']).toEqual(format)
    expect(bodyOf({ outputSchema, tools: [tool] })).not.toHaveProperty('response_format')
    expect(bodyOf({ outputSchema, tools: [tool] }, { structuredOutput: 'always' })['response_format']).toEqual(format)
    expect(bodyOf({ outputSchema }, { structuredOutput: 'never' })).not.toHaveProperty('response_format')
  })

  it('has no key of the cache without a session, and none if it is switched off', () => {
    expect(bodyOf({})).not.toHaveProperty('prompt_cache_key')
    expect(bodyOf({ sessionId: 's' }, { promptCacheKey: false })).not.toHaveProperty('prompt_cache_key')
  })

  it('names the tool that a choice forces', () => {
    const choice = bodyOf({ tools: [tool], toolChoice: { name: 'read' } })['tool_choice']
    expect(choice).toEqual({ type: 'function', function: { name: 'read' } })
  })
})

describe('the history', () => {
  it('separates a result and a user message', () => {
    const messages = [aUser('Go.'), anAnswer(own, 'aaaaaaaa1'), aResult('aaaaaaaa1'), aUser('Stop.')]
    const roles = (value: unknown): unknown => (value as { role: string }[]).map(({ role }) => role)
    expect(roles(messagesOf({ messages }))).toEqual(['user', 'assistant', 'tool', 'assistant', 'user'])
    expect(roles(messagesOf({ messages }, { answerAfterTool: false }))).toEqual(['user', 'assistant', 'tool', 'user'])
  })

  it('leaves out the thinking of another model, and an answer that has only that', () => {
    const messages = [aUser('Go.'), anAnswer(own, { model: 'other' }, 'thinking'), aUser('Go on.')]
    expect(messagesOf({ messages })).toEqual([
      { role: 'user', content: 'Go.' },
      { role: 'user', content: 'Go on.' },
    ])
  })

  it('sends one id once, with its result', () => {
    const turn = [anAnswer(own, 'c'), aResult('c')]
    const sent = messagesOf({ messages: [aUser('Go.'), ...turn, ...turn] }) as {
      tool_calls?: { id: string }[]
      tool_call_id?: string
    }[]
    const calls = sent.flatMap(({ tool_calls: list = [] }) => list.map(({ id }) => id))
    expect(new Set(calls).size).toBe(2)
    expect(sent.flatMap(({ tool_call_id: id }) => id ?? [])).toEqual(calls)
  })

  it('describes what a model cannot read, and an empty result', () => {
    const textOnly = { ...model, inputs: ['text' as const] }
    const messages = [aUser([png]), anAnswer(own, 'aaaaaaaa1'), aResult('aaaaaaaa1', [])]
    expect(messagesOf({ model: textOnly, messages })).toMatchObject([
      { content: '[an image (image/png); this model supports text only]' },
      {},
      { content: '(no output)' },
    ])
  })
})
