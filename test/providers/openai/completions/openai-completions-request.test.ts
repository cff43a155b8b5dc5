// Tests the body of a chat completion request.
import { Type } from '@sinclair/typebox'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultCompat } from '../../../../lib/providers/openai/completions/openai-completions-options.ts'
import type { OpenAiCompletionsCompat } from '../../../../lib/providers/openai/completions/openai-completions-options.ts'
import { openAiCompletionsRequest } from '../../../../lib/providers/openai/completions/openai-completions-request.ts'
import type { Message } from '../../../../lib/streams/messages/message.ts'
import type { ProviderRequest } from '../../../../lib/streams/ports/provider.ts'
import { aRequest } from '../../offline/a-request.ts'
import { aResult, aUser, anAnswer } from '../../adapter/messages.ts'
import { model, png, bodyOf, messagesOf } from './openai-completions-body.ts'

const tool = { name: 'read', description: 'Read a file.', parameters: Type.Object({ path: Type.String() }) }

describe('the body of a request', () => {
  it('has no optional field by default', () => {
    expect(bodyOf({ messages: [aUser('Hello')] })).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'Hello' }],
      stream: true,
      stream_options: { include_usage: true },
    })
  })

  it('has all fields of a full request', () => {
    const messages = [
      aUser('Read a and b.'),
      anAnswer('thinking', 'text', 'c1', 'c2'),
      aResult('c1', 'A'),
      aResult('c2', [{ type: 'text', text: 'B' }]),
      anAnswer('text'),
      aUser([{ type: 'text', text: 'And this?' }, png]),
    ]
    const requests = { messages, system: 'Be brief.', tools: [tool], thinkingLevel: 'high', temperature: 0.2 } as const
    expect(bodyOf({ ...requests, maxTokens: 5000, sessionId: 's' }, { promptCacheKey: true })).toEqual({
      model: 'm',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Read a and b.' },
        {
          role: 'assistant',
          content: 'some text',
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } },
            { id: 'c2', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'A' },
        { role: 'tool', tool_call_id: 'c2', content: 'B' },
        { role: 'assistant', content: 'some text' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'And this?' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          ],
        },
      ],
      stream: true,
      stream_options: { include_usage: true },
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
      reasoning_effort: 'high',
      temperature: 0.2,
      max_tokens: 1000,
      prompt_cache_key: 's',
    })
  })

  it('takes the field of the output limit and the usage option from the compat options', () => {
    expect(bodyOf({ maxTokens: 7 }, { maxTokensField: 'max_completion_tokens', streamUsage: false })).toEqual({
      model: 'm',
      messages: [],
      stream: true,
      max_completion_tokens: 7,
    })
  })
})

describe('the effort', () => {
  const effortOf = (fields: Partial<ProviderRequest>, compat: Partial<OpenAiCompletionsCompat> = {}): unknown =>
    (bodyOf(fields, compat) as { reasoning_effort?: unknown }).reasoning_effort

  it.each([
    ['off', undefined],
    ['minimal', 'low'],
    ['low', 'low'],
    ['medium', 'medium'],
    ['high', 'high'],
    ['xhigh', 'high'],
  ] as const)('for level %s is %s', (thinkingLevel, expected) => {
    expect(effortOf({ thinkingLevel })).toBe(expected)
  })

  it('is not sent to a model without reasoning', () => {
    expect(effortOf({ thinkingLevel: 'high', model: { ...model, reasoning: false } })).toBeUndefined()
  })

  it.each([
    ['send', 'high'],
    ['omit', undefined],
    ['none', 'none'],
  ] as const)('beside tools, with effortWithTools %s, is %s', (effortWithTools, expected) => {
    expect(effortOf({ thinkingLevel: 'high', tools: [tool] }, { effortWithTools })).toBe(expected)
    expect(effortOf({ thinkingLevel: 'high' }, { effortWithTools })).toBe('high')
  })
})

describe('compat options', () => {
  const withTools = { messages: [aUser('a')], tools: [tool] }

  it.each([
    ['effort', 'high', { reasoning_effort: 'high' }],
    ['effort', 'off', {}],
    ['reasoning', 'low', { reasoning: { effort: 'low' } }],
    ['reasoning', 'off', {}],
    ['thinking', 'high', { thinking: { type: 'enabled' }, reasoning_effort: 'high' }],
    ['thinking', 'off', { thinking: { type: 'disabled' } }],
    ['enabled', 'high', { reasoning: { enabled: true }, reasoning_effort: 'high' }],
    ['enabled', 'off', { reasoning: { enabled: false } }],
    ['enable_thinking', 'high', { enable_thinking: true, reasoning_effort: 'high' }],
    ['enable_thinking', 'off', { enable_thinking: false }],
    ['template', 'high', { chat_template_kwargs: { enable_thinking: true }, reasoning_effort: 'high' }],
    ['template', 'off', { chat_template_kwargs: { enable_thinking: false } }],
    ['none', 'high', {}],
  ] as const)('request thinking in the form %s at level %s', (thinkingForm, thinkingLevel, fields) => {
    const messages = [aUser('a')]
    const plain = bodyOf({ messages })
    expect(bodyOf({ messages, thinkingLevel }, { thinkingForm })).toEqual({ ...(plain as object), ...fields })
    const unthinking = { ...model, reasoning: false }
    expect(bodyOf({ model: unthinking, messages, thinkingLevel }, { thinkingForm })).toEqual(plain)
  })

  it('send no thinking field to a model that always thinks', () => {
    const compat = { thinkingForm: 'thinking', thinkingOff: false, effort: { high: 'max' } } as const
    expect(bodyOf(withTools, compat)).not.toHaveProperty('thinking')
    expect(bodyOf({ ...withTools, thinkingLevel: 'high' }, compat)).toMatchObject({
      thinking: { type: 'enabled' },
      reasoning_effort: 'max',
    })
  })

  it('send the system prompt with the role developer to a reasoning model', () => {
    const requests = { messages: [aUser('a')], system: 'Be brief.' }
    const role = (fields: Partial<ProviderRequest>): unknown =>
      (bodyOf({ ...requests, ...fields }, { systemRole: 'developer' }) as { messages: { role: string }[] }).messages[0]
        ?.role
    expect([role({}), role({ model: { ...model, reasoning: false } })]).toEqual(['developer', 'system'])
  })

  it('mark tools as not strict and the answer as not stored', () => {
    expect(bodyOf(withTools)).not.toHaveProperty('store')
    expect(bodyOf(withTools, { storeField: true, strictField: true, streamUsage: false })).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'a' }],
      stream: true,
      store: false,
      tools: [{ type: 'function', function: { ...(JSON.parse(JSON.stringify(tool)) as object), strict: false } }],
    })
  })

  it('send tools in strict mode if their schema has that form', () => {
    const open = { ...tool, name: 'open', parameters: Type.Object({ any: Type.Unknown() }) }
    const body = bodyOf({ ...withTools, tools: [tool, open] }, { strictTools: true, strictField: true })
    expect(body).toMatchObject({
      tools: [
        { function: { name: tool.name, strict: true, parameters: { additionalProperties: false } } },
        { function: { name: 'open', strict: false, parameters: open.parameters } },
      ],
    })
  })

  it('add tool names to results, fit ids to a length, and put an answer before the next user message', () => {
    const messages = [aUser('a'), anAnswer('c1'), aResult('c1', [{ type: 'text', text: 'A' }, png]), aUser('b')]
    const compat = { toolResultName: true, callIdForm: 'exact', callIdLength: 9, answerAfterTool: true }
    const sent = messagesOf(messages, {}, compat) as { role: string; name?: string; tool_call_id?: string }[]
    expect(sent.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user', 'user'])
    expect(sent[2]?.name).toBe('read')
    expect(sent[2]?.tool_call_id).toMatch(/^[a-z0-9]{9}$/)
    expect(sent[1]).toMatchObject({ tool_calls: [{ id: sent[2]?.tool_call_id }] })
    const withoutImage = [aUser('a'), anAnswer('c1'), aResult('c1', 'A'), aUser('b')]
    const roles = (messagesOf(withoutImage, {}, compat) as { role: string }[]).map(({ role }) => role)
    expect(roles).toEqual(['user', 'assistant', 'tool', 'assistant', 'user'])
  })

  it('add empty thinking to calls without thinking', () => {
    const messages = [aUser('a'), anAnswer('c1'), aResult('c1', 'A'), anAnswer('text')]
    const sent = messagesOf(messages, {}, { emptyThinking: true }) as object[]
    expect(sent[1]).toMatchObject({ reasoning_content: '' })
    expect(sent[3]).not.toHaveProperty('reasoning_content')
  })
})

describe('the messages of two bodies', () => {
  const messages = [aUser('Read a.'), anAnswer('thinking', 'c1'), aResult('c1', 'A'), aUser([png])]
  const paramsOf = (requests = model, compat = defaultCompat) =>
    openAiCompletionsRequest(aRequest({ model: requests, messages }), compat).messages

  it('follow the model and the endpoint of each request', () => {
    paramsOf()
    const other = paramsOf({ ...model, inputs: ['text'] })
    expect(JSON.stringify(other.at(-1))).toContain('this model supports text only')
    const named = paramsOf(model, { ...defaultCompat, toolResultName: true })
    expect(named.at(2)).toMatchObject({ role: 'tool', name: 'read' })
    expect(paramsOf().at(2)).not.toHaveProperty('name')
  })

  it('do not depend on earlier requests of the same conversation', () => {
    const message = fc.constantFrom<() => Message>(
      () => aUser('Go on.'),
      () => aUser([{ type: 'text', text: 'This:' }, png]),
      () => anAnswer('text'),
      () => anAnswer('thinking'),
      () => anAnswer('c1', 'c2'),
      () => aResult('c1', 'A'),
      () => aResult('c2', [png]),
      () => aUser([]),
    )
    const scene = fc.record({
      messages: fc.array(message, { maxLength: 16 }),
      answerAfterTool: fc.boolean(),
      shown: fc.array(fc.nat(16), { minLength: 1, maxLength: 6 }),
    })
    fc.assert(
      fc.property(scene, ({ messages: made, answerAfterTool, shown }) => {
        const compat = { ...defaultCompat, answerAfterTool }
        const grown = made.map((make) => make())
        for (const count of shown) {
          const known = grown.slice(0, count)
          const first = openAiCompletionsRequest(aRequest({ model, messages: structuredClone(known) }), compat)
          expect(openAiCompletionsRequest(aRequest({ model, messages: known }), compat)).toEqual(first)
        }
      }),
      { numRuns: 1_000 },
    )
  })
})
