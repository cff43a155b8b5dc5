// Tests the body of a Messages API request.
import { Type } from '@sinclair/typebox'
import { describe, expect, it } from 'vitest'
import type { AnthropicMessagesCompat } from '../../../lib/providers/anthropic/anthropic-messages-options.ts'
import { familyManners } from '../../../lib/providers/catalogue/catalogue.ts'
import type { ProviderRequest } from '../../../lib/streams/ports/provider.ts'
import { thinkingLevels } from '../../../lib/streams/models/model.ts'
import { aResult, aUser, anAnswer } from '../adapter/messages.ts'
import { model, own, png, bodyOf, thought } from './anthropic-messages-scene.ts'

const tool = { name: 'read', description: 'Read a file.', parameters: Type.Object({ path: Type.String() }) }

const cached = { cache_control: { type: 'ephemeral' } }

describe('the body of a request', () => {
  it('has no optional field by default', () => {
    expect(bodyOf({ messages: [aUser('Hello')] })).toEqual({
      model: 'm',
      max_tokens: 64_000,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello', ...cached }] }],
      stream: true,
    })
  })

  it('has all fields of a full request', () => {
    const messages = [
      aUser('Read a and b.'),
      anAnswer(own, thought('Both.', 'c2ln'), 'text', 'c1', 'c2'),
      aResult('c1', 'A'),
      { ...aResult('c2', [{ type: 'text', text: 'B' }, png]), isError: true },
      anAnswer(own, 'text'),
      aUser([{ type: 'text', text: 'And this?' }, png]),
    ]
    const requests = { messages, system: 'Be brief.', tools: [tool], thinkingLevel: 'high', temperature: 0.2 } as const
    expect(bodyOf({ ...requests, maxTokens: 20_000 })).toEqual({
      model: 'm',
      max_tokens: 20_000,
      system: [{ type: 'text', text: 'Be brief.', ...cached }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Read a and b.' }] },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Both.', signature: 'c2ln' },
            { type: 'text', text: 'some text' },
            { type: 'tool_use', id: 'c1', name: 'read', input: { path: 'a' } },
            { type: 'tool_use', id: 'c2', name: 'read', input: { path: 'a' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'A' }] },
            {
              type: 'tool_result',
              tool_use_id: 'c2',
              content: [
                { type: 'text', text: 'B' },
                { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
              ],
              is_error: true,
              ...cached,
            },
          ],
        },
        { role: 'assistant', content: [{ type: 'text', text: 'some text' }] },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'And this?' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' }, ...cached },
          ],
        },
      ],
      tools: [
        {
          name: 'read',
          description: 'Read a file.',
          input_schema: { type: 'object', required: ['path'], properties: { path: { type: 'string' } } },
          ...cached,
        },
      ],
      thinking: { type: 'enabled', budget_tokens: 16_384 },
      stream: true,
    })
  })

  it('marks at most four places for the cache, among them the last two user turns', () => {
    const messages = ['a', 'b', 'c', 'd'].flatMap((text) => [aUser(text), anAnswer('text')])
    const body = bodyOf({ messages, system: 'S', tools: [tool, { ...tool, name: 'write' }] })
    expect(JSON.stringify(body).match(/cache_control/g)).toHaveLength(4)
    const marked = body.messages.filter(({ content }) => content.some((block) => 'cache_control' in block))
    expect(marked.map(({ content }) => content[0]?.['text'])).toEqual(['c', 'd'])
    expect(JSON.stringify(bodyOf({ messages, system: 'S', tools: [tool] }, { cacheBreakpoints: false }))).not.toContain(
      'cache_control',
    )
  })

  it('limits the output by the model and its context window', () => {
    const limitOf = (fields: Partial<ProviderRequest>): unknown => bodyOf(fields)['max_tokens']
    expect(limitOf({ maxTokens: 100 })).toBe(100)
    expect(limitOf({ maxTokens: 100_000 })).toBe(64_000)
    expect(limitOf({ model: { ...model, contextWindow: 10_000 }, system: 'x'.repeat(20_000) })).toBe(5000)
    expect(limitOf({ model: { ...model, contextWindow: 1000 }, system: 'x'.repeat(20_000) })).toBe(1024)
    const { maxOutput: _, ...unlimited } = model
    expect(limitOf({ model: unlimited })).toBe(32_000)
  })

  it.each([
    ['auto', undefined],
    ['none', { type: 'none' }],
    ['required', { type: 'any' }],
    [{ name: 'read' }, { type: 'tool', name: 'read' }],
  ] as const)('sends the tool choice %j', (toolChoice, expected) => {
    expect(bodyOf({ tools: [tool], toolChoice })['tool_choice']).toEqual(expected)
    expect(bodyOf({ toolChoice })['tool_choice']).toBeUndefined()
  })

  it('has a temperature only if thinking is off and the model version supports one', () => {
    const temperatureOf = (fields: Partial<ProviderRequest>, compat: Partial<AnthropicMessagesCompat> = {}): unknown =>
      bodyOf({ temperature: 0.5, ...fields }, compat)['temperature']
    expect(temperatureOf({})).toBe(0.5)
    expect(temperatureOf({ thinkingLevel: 'low' })).toBeUndefined()
    expect(temperatureOf({}, { dialect: 'vendor' })).toBeUndefined()
    expect(temperatureOf({}, { temperature: false })).toBeUndefined()
  })
})

describe('thinking', () => {
  const requests = (fields: Partial<ProviderRequest>, compat: Partial<AnthropicMessagesCompat> = {}): object => {
    const { thinking, output_config: output } = bodyOf(fields, compat)
    return { ...(thinking ? { thinking } : {}), ...(output ? { output } : {}) }
  }

  it.each([
    ['off', undefined],
    ['minimal', 1024],
    ['low', 2048],
    ['medium', 8192],
    ['high', 16_384],
    ['xhigh', 32_768],
  ] as const)('by budget, level %s is %j', (thinkingLevel, budget) => {
    const expected = budget === undefined ? {} : { thinking: { type: 'enabled', budget_tokens: budget } }
    expect(requests({ thinkingLevel })).toEqual(expected)
  })

  it('leaves room for the answer, and is off if there is none', () => {
    expect(requests({ thinkingLevel: 'high', maxTokens: 5000 })).toEqual({
      thinking: { type: 'enabled', budget_tokens: 5000 - 1024 },
    })
    expect(requests({ thinkingLevel: 'high', maxTokens: 2000 })).toEqual({})
  })

  it('is not requested from a model without reasoning', () => {
    expect(requests({ thinkingLevel: 'high', model: { ...model, reasoning: false } })).toEqual({})
  })

  it('by budget, is off until a tool run of another model has ended', () => {
    const foreign = [aUser('go'), anAnswer({ model: 'other' }, thought('x', 's'), 'c1'), aResult('c1')]
    expect(requests({ thinkingLevel: 'low', messages: foreign })).toEqual({})
    expect(requests({ thinkingLevel: 'low', messages: [...foreign, anAnswer('text'), aUser('next')] })).toHaveProperty(
      'thinking',
    )
    const mine = [aUser('go'), anAnswer(own, thought('x', 's'), 'c1'), aResult('c1')]
    expect(requests({ thinkingLevel: 'low', messages: mine })).toHaveProperty('thinking')
    expect(requests({ thinkingLevel: 'low', messages: foreign }, { thinking: 'adaptive' })).toHaveProperty('thinking')
  })

  const drop = { block_binding: { prefix_mismatch_behavior: 'drop_block' } }
  const adaptive = { type: 'adaptive', display: 'summarized' }
  it.each([
    ['claude-opus-5-5', { thinking: { ...adaptive, ...drop }, output: { effort: 'low' } }, { ...adaptive, ...drop }],
    ['claude-sonnet-5-5', { thinking: { type: 'between_tools' }, output: { effort: 'low' } }, { ...adaptive, ...drop }],
    ['claude-haiku-5-5', { thinking: { type: 'disabled' } }, { ...adaptive, ...drop }],
    ['claude-opus-5', { thinking: { type: 'disabled' } }, adaptive],
    ['claude-opus-4-8', {}, adaptive],
    ['claude-sonnet-4-6', {}, adaptive],
    ['claude-haiku-4-5-20251001', {}, { type: 'enabled', budget_tokens: 8192 }],
    ['claude-sonnet-4-20250514', {}, { type: 'enabled', budget_tokens: 8192 }],
    ['claude-fable-7', { thinking: { ...adaptive, ...drop }, output: { effort: 'low' } }, { ...adaptive, ...drop }],
  ])('of %s has the form of that model', (id, off, medium) => {
    const entry = familyManners(`anthropic/${id}`)
    const compat = entry?.compat?.['anthropic-messages'] ?? {}
    expect(entry?.reasoning).toBe(true)
    expect(requests({ thinkingLevel: 'off' }, compat)).toEqual(off)
    expect(requests({ thinkingLevel: 'medium' }, compat)).toMatchObject({ thinking: medium })
  })

  it('has an effort for each level of each model with effort', () => {
    for (const id of ['claude-opus-5-5', 'claude-opus-5', 'claude-sonnet-4-6']) {
      const compat = familyManners(`anthropic/${id}`)?.compat?.['anthropic-messages'] ?? {}
      for (const thinkingLevel of thinkingLevels.filter((level) => level !== 'off')) {
        expect(requests({ thinkingLevel }, compat)).toHaveProperty('output.effort')
      }
    }
  })
})
