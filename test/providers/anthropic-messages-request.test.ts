import { Type } from '@sinclair/typebox'
import { describe, expect, it } from 'vitest'
import { defaultMessagesCompat } from '../../lib/providers/anthropic-messages-compat.ts'
import type { AnthropicMessagesCompat } from '../../lib/providers/anthropic-messages-compat.ts'
import { anthropicMessagesRequest } from '../../lib/providers/anthropic-messages-request.ts'
import { familyManners } from '../../lib/providers/catalogue-families.ts'
import type { AssistantContent, Message } from '../../lib/streams/message.ts'
import type { Model } from '../../lib/streams/model.ts'
import type { ProviderRequest } from '../../lib/streams/provider.ts'
import { thinkingLevels } from '../../lib/streams/thinking-level.ts'
import { aRequest } from './a-request.ts'
import { aResult, aUser, anAnswer } from './messages.ts'

const model: Model = {
  id: 'm',
  provider: 'maker',
  api: 'anthropic-messages',
  inputs: ['text', 'image'],
  reasoning: true,
  maxOutput: 64_000,
}
const own = { api: 'anthropic-messages' }
const png = { type: 'image', mimeType: 'image/png', data: 'AAAA' } as const
const tool = { name: 'read', description: 'Read a file.', parameters: Type.Object({ path: Type.String() }) }
const cached = { cache_control: { type: 'ephemeral' } }

interface Body {
  readonly [field: string]: unknown
  readonly messages: readonly { readonly role: string; readonly content: readonly Record<string, unknown>[] }[]
}

/** The body as it goes over the wire. */
function bodyOf(fields: Partial<ProviderRequest>, compat: Partial<AnthropicMessagesCompat> = {}): Body {
  const body = anthropicMessagesRequest(aRequest({ model, ...fields }), { ...defaultMessagesCompat, ...compat })
  return JSON.parse(JSON.stringify(body)) as Body
}

/** The messages without the marks of the cache, which have a test of their own. */
function messagesOf(messages: readonly Message[], fields: Partial<ProviderRequest> = {}): Body['messages'] {
  return bodyOf({ messages, ...fields }, { cacheBreakpoints: false }).messages
}

function thought(thinking: string, thinkingSignature?: string, more: object = {}): AssistantContent {
  return { type: 'thinking', thinking, ...(thinkingSignature === undefined ? {} : { thinkingSignature }), ...more }
}

describe('the body of a request', () => {
  it('is as small as it can be', () => {
    expect(bodyOf({ messages: [aUser('Hello')] })).toEqual({
      model: 'm',
      max_tokens: 64_000,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello', ...cached }] }],
      stream: true,
    })
  })

  it('is this, whole', () => {
    const messages = [
      aUser('Read a and b.'),
      anAnswer(own, thought('Both.', 'c2ln'), 'text', 'c1', 'c2'),
      aResult('c1', 'A'),
      { ...aResult('c2', [{ type: 'text', text: 'B' }, png]), isError: true },
      anAnswer(own, 'text'),
      aUser([{ type: 'text', text: 'And this?' }, png]),
    ]
    const asked = { messages, system: 'Be brief.', tools: [tool], thinkingLevel: 'high', temperature: 0.2 } as const
    expect(bodyOf({ ...asked, maxTokens: 20_000 })).toEqual({
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

  it('marks at most four places for the cache, the last two turns of the user among them', () => {
    const messages = ['a', 'b', 'c', 'd'].flatMap((text) => [aUser(text), anAnswer('text')])
    const body = bodyOf({ messages, system: 'S', tools: [tool, { ...tool, name: 'write' }] })
    expect(JSON.stringify(body).match(/cache_control/g)).toHaveLength(4)
    const marked = body.messages.filter(({ content }) => content.some((block) => 'cache_control' in block))
    expect(marked.map(({ content }) => content[0]?.['text'])).toEqual(['c', 'd'])
    expect(JSON.stringify(bodyOf({ messages, system: 'S', tools: [tool] }, { cacheBreakpoints: false }))).not.toContain(
      'cache_control',
    )
  })

  it('keeps the output within what the model says and what its window holds', () => {
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
  ] as const)('asks for the tool choice %j', (toolChoice, expected) => {
    expect(bodyOf({ tools: [tool], toolChoice })['tool_choice']).toEqual(expected)
    expect(bodyOf({ toolChoice })['tool_choice']).toBeUndefined()
  })

  it('has a temperature only where the model does not think and the version takes one', () => {
    const temperatureOf = (fields: Partial<ProviderRequest>, compat: Partial<AnthropicMessagesCompat> = {}): unknown =>
      bodyOf({ temperature: 0.5, ...fields }, compat)['temperature']
    expect(temperatureOf({})).toBe(0.5)
    expect(temperatureOf({ thinkingLevel: 'low' })).toBeUndefined()
    expect(temperatureOf({}, { dialect: 'vendor' })).toBeUndefined()
    expect(temperatureOf({}, { temperature: false })).toBeUndefined()
  })
})

describe('thinking', () => {
  const asked = (fields: Partial<ProviderRequest>, compat: Partial<AnthropicMessagesCompat> = {}): object => {
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
    expect(asked({ thinkingLevel })).toEqual(expected)
  })

  it('leaves room for the answer, and is left out where there is none', () => {
    expect(asked({ thinkingLevel: 'high', maxTokens: 5000 })).toEqual({
      thinking: { type: 'enabled', budget_tokens: 5000 - 1024 },
    })
    expect(asked({ thinkingLevel: 'high', maxTokens: 2000 })).toEqual({})
  })

  it('is not asked of a model that does not reason', () => {
    expect(asked({ thinkingLevel: 'high', model: { ...model, reasoning: false } })).toEqual({})
  })

  it('by budget, waits for the end of a tool run that another model began', () => {
    const foreign = [aUser('go'), anAnswer({ model: 'other' }, thought('x', 's'), 'c1'), aResult('c1')]
    expect(asked({ thinkingLevel: 'low', messages: foreign })).toEqual({})
    expect(asked({ thinkingLevel: 'low', messages: [...foreign, anAnswer('text'), aUser('next')] })).toHaveProperty(
      'thinking',
    )
    const mine = [aUser('go'), anAnswer(own, thought('x', 's'), 'c1'), aResult('c1')]
    expect(asked({ thinkingLevel: 'low', messages: mine })).toHaveProperty('thinking')
    expect(asked({ thinkingLevel: 'low', messages: foreign }, { thinking: 'adaptive' })).toHaveProperty('thinking')
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
  ])('%s is asked in its own words', (id, off, medium) => {
    const entry = familyManners(`anthropic/${id}`)
    const compat = entry?.compat?.['anthropic-messages'] ?? {}
    expect(entry?.reasoning).toBe(true)
    expect(asked({ thinkingLevel: 'off' }, compat)).toEqual(off)
    expect(asked({ thinkingLevel: 'medium' }, compat)).toMatchObject({ thinking: medium })
  })

  it('has an effort for every level of every model that takes one', () => {
    for (const id of ['claude-opus-5-5', 'claude-opus-5', 'claude-sonnet-4-6']) {
      const compat = familyManners(`anthropic/${id}`)?.compat?.['anthropic-messages'] ?? {}
      for (const thinkingLevel of thinkingLevels.filter((level) => level !== 'off')) {
        expect(asked({ thinkingLevel }, compat)).toHaveProperty('output.effort')
      }
    }
  })
})

describe('the history', () => {
  it("gives a model its own thinking back as it came, hidden and redacted too, and never another model's [LOOP-33c]", () => {
    const thoughts = [thought('Hm.', 's1'), thought('', 's2'), thought('', 's3', { redacted: true }), thought('cut')]
    expect(messagesOf([aUser('a'), anAnswer(own, ...thoughts, 'text')])[1]?.content).toEqual([
      { type: 'thinking', thinking: 'Hm.', signature: 's1' },
      { type: 'thinking', thinking: '', signature: 's2' },
      { type: 'redacted_thinking', data: 's3' },
      { type: 'text', text: 'some text' },
    ])
    for (const other of [{ model: 'other' }, { provider: 'other' }, { api: 'openai-completions' }]) {
      expect(messagesOf([aUser('a'), anAnswer(own, other, ...thoughts, 'text')])[1]?.content).toEqual([
        { type: 'text', text: 'some text' },
      ])
    }
  })

  it('puts results first in their turn and lets roles alternate', () => {
    const history = messagesOf([
      aUser('a'),
      aUser('b'),
      anAnswer('text'),
      anAnswer('c1'),
      aUser('stop'),
      aResult('c1'),
      aUser('go on'),
    ])
    expect(history.map(({ role, content }) => [role, ...content.map(({ type, text }) => text ?? type)])).toEqual([
      ['user', 'a', 'b'],
      ['assistant', 'some text', 'tool_use'],
      ['user', 'tool_result', 'stop', 'go on'],
    ])
  })

  it('begins with the user', () => {
    expect(messagesOf([anAnswer('text'), aUser('and?')]).map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  })

  it('answers calls that have no result, and leaves out results without a call', () => {
    const history = messagesOf([aUser('a'), anAnswer('c1', 'c2'), aResult('c2'), aResult('c9'), aUser('go on')])
    expect(history[2]?.content).toMatchObject([
      { tool_use_id: 'c1', is_error: true },
      { tool_use_id: 'c2' },
      { type: 'text', text: 'go on' },
    ])
  })

  it('leaves out what is empty, and says that a result was', () => {
    const blank = { type: 'text', text: ' \n' } as const
    const history = messagesOf([aUser('a'), anAnswer(blank, 'c1'), aResult('c1', []), aUser([blank]), aUser(' ')])
    expect(history.slice(1)).toEqual([
      { role: 'assistant', content: [expect.objectContaining({ type: 'tool_use' })] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: '(no output)' }] }],
      },
    ])
  })

  it('gives every call an id of its own that the API takes, and its result the same [LOOP-33d]', () => {
    const long = `call_${'x'.repeat(80)}|fc.1`
    const turns = [long, 'c1', 'c1', ''].flatMap((id) => [anAnswer(id), aResult(id)])
    const twice = [anAnswer('c1', 'c1'), aResult('c1')]
    const blocks = messagesOf([aUser('a'), ...turns, ...twice]).flatMap(({ content }) => content)
    const ids = blocks.flatMap(({ type, id }) => (type === 'tool_use' ? [String(id)] : []))
    expect(ids).toHaveLength(6)
    expect(new Set(ids).size).toBe(6)
    for (const id of ids) expect(id).toMatch(/^[\w-]{1,64}$/)
    expect(blocks.flatMap(({ type, tool_use_id: id }) => (type === 'tool_result' ? [id] : []))).toEqual(ids)
  })

  it('names images that the model or the API cannot take, or that are no longer there', () => {
    const textOnly = { model: { ...model, inputs: ['text' as const] } }
    const gone = { type: 'image', mimeType: 'image/png', blob: '0'.repeat(64), bytes: 3 } as const
    const tiff = { ...png, mimeType: 'image/tiff' }
    expect(messagesOf([aUser([png])], textOnly)[0]?.content).toEqual([
      { type: 'text', text: '[an image (image/png); this model takes text only]' },
    ])
    expect(messagesOf([aUser([gone, tiff])])[0]?.content).toEqual([
      { type: 'text', text: '[an image (image/png) that is no longer at hand]' },
      { type: 'text', text: '[an image (image/tiff) of a type that this model does not take]' },
    ])
  })

  it('sends no half of a surrogate pair', () => {
    const history = messagesOf([aUser('a\ud83d'), anAnswer({ type: 'text', text: '\ude00b' })])
    expect(history.map(({ content }) => content[0]?.['text'])).toEqual(['a\ufffd', '\ufffdb'])
  })
})
