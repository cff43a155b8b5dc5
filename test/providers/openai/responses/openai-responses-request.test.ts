// Tests the body of a Responses API request.
import { Type } from '@sinclair/typebox'
import { describe, expect, it } from 'vitest'
import { familyManners } from '../../../../lib/providers/catalogue/catalogue.ts'
import { defaultResponsesCompat } from '../../../../lib/providers/openai/responses/openai-responses-options.ts'
import type { OpenAiResponsesCompat } from '../../../../lib/providers/openai/responses/openai-responses-options.ts'
import { openAiResponsesRequest } from '../../../../lib/providers/openai/responses/openai-responses-request.ts'
import type { AssistantContent, Message } from '../../../../lib/streams/messages/message.ts'
import type { Model } from '../../../../lib/streams/models/model.ts'
import type { ProviderRequest } from '../../../../lib/streams/ports/provider.ts'
import { aRequest } from '../../offline/a-request.ts'
import { aResult, aUser, anAnswer } from '../../adapter/messages.ts'

const model: Model = {
  id: 'm',
  provider: 'maker',
  api: 'openai-responses',
  inputs: ['text', 'image'],
  reasoning: true,
  maxOutput: 1000,
}
const own = { api: 'openai-responses' }
const png = { type: 'image', mimeType: 'image/png', data: 'AAAA' } as const
const tool = { name: 'read', description: 'Read a file.', parameters: Type.Object({ path: Type.String() }) }

/** Returns the body as it is sent. */
function bodyOf(fields: Partial<ProviderRequest>, compat: Partial<OpenAiResponsesCompat> = {}) {
  const body = openAiResponsesRequest(aRequest({ model, ...fields }), { ...defaultResponsesCompat, ...compat })
  return JSON.parse(JSON.stringify(body)) as Readonly<Record<string, unknown>>
}

function inputOf(messages: readonly Message[], fields: Partial<ProviderRequest> = {}) {
  return bodyOf({ messages, ...fields })['input'] as readonly Readonly<Record<string, unknown>>[]
}

function thought(thinking: string, thinkingSignature?: string): AssistantContent {
  return { type: 'thinking', thinking, ...(thinkingSignature === undefined ? {} : { thinkingSignature }) }
}

describe('the body of a request', () => {
  it('has no optional field by default', () => {
    expect(bodyOf({ messages: [aUser('Hello')], model: { ...model, reasoning: false } })).toEqual({
      model: 'm',
      input: [{ role: 'user', content: 'Hello' }],
      stream: true,
      store: false,
    })
  })

  it('has all fields of a full request', () => {
    const messages = [
      aUser('Read a and b.'),
      anAnswer(
        own,
        thought('First.'),
        thought('Then.', 'ZW5j'),
        { type: 'text', text: 'Reading.', textSignature: 'commentary' },
        'c1',
        'c2',
      ),
      aResult('c1', 'A'),
      aResult('c2', [{ type: 'text', text: 'B' }, png]),
      anAnswer(own, 'text'),
      aUser([{ type: 'text', text: 'And this?' }, png]),
    ]
    const requests = { messages, system: 'Be brief.', tools: [tool], thinkingLevel: 'high', temperature: 0.2 } as const
    const image = { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,AAAA' }
    expect(bodyOf({ ...requests, maxTokens: 5000, sessionId: 's', toolChoice: 'required' })).toEqual({
      model: 'm',
      instructions: 'Be brief.',
      input: [
        { role: 'user', content: 'Read a and b.' },
        {
          type: 'reasoning',
          summary: [
            { type: 'summary_text', text: 'First.' },
            { type: 'summary_text', text: 'Then.' },
          ],
          encrypted_content: 'ZW5j',
        },
        { role: 'assistant', content: 'Reading.', phase: 'commentary' },
        { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{"path":"a"}' },
        { type: 'function_call', call_id: 'c2', name: 'read', arguments: '{"path":"a"}' },
        { type: 'function_call_output', call_id: 'c1', output: 'A' },
        { type: 'function_call_output', call_id: 'c2', output: [{ type: 'input_text', text: 'B' }, image] },
        { role: 'assistant', content: 'some text' },
        { role: 'user', content: [{ type: 'input_text', text: 'And this?' }, image] },
      ],
      stream: true,
      store: false,
      tools: [
        {
          type: 'function',
          name: 'read',
          description: 'Read a file.',
          parameters: { type: 'object', required: ['path'], properties: { path: { type: 'string' } } },
          strict: false,
        },
      ],
      tool_choice: 'required',
      reasoning: { effort: 'high', summary: 'auto' },
      include: ['reasoning.encrypted_content'],
      temperature: 0.2,
      max_output_tokens: 1000,
      prompt_cache_key: 's',
    })
  })

  it('raises the output limit to the minimum of the API', () => {
    expect(bodyOf({ maxTokens: 1 })['max_output_tokens']).toBe(16)
    expect(bodyOf({})).not.toHaveProperty('max_output_tokens')
  })

  it('follows the compat options', () => {
    const compat = { summary: false, encryptedReasoning: false, promptCacheKey: false, effort: {} }
    const body = bodyOf({ thinkingLevel: 'high', sessionId: 's' }, compat)
    for (const field of ['reasoning', 'include', 'prompt_cache_key']) expect(body).not.toHaveProperty(field)
  })

  it('sends tools in strict mode if the compat asks for it', () => {
    expect(bodyOf({ tools: [tool] })['tools']).toMatchObject([{ strict: false, parameters: tool.parameters }])
    expect(bodyOf({ tools: [tool] }, { strictTools: true })['tools']).toMatchObject([
      { strict: true, parameters: { additionalProperties: false } },
    ])
  })

  it.each([
    ['auto', 'auto'],
    [{ name: 'read' }, { type: 'function', name: 'read' }],
  ] as const)('sends the tool choice %j', (toolChoice, expected) => {
    expect(bodyOf({ tools: [tool], toolChoice })['tool_choice']).toEqual(expected)
    expect(bodyOf({ toolChoice })).not.toHaveProperty('tool_choice')
  })
})

describe('the effort', () => {
  it.each([
    ['gpt-6-sol', 'none', 'xhigh'],
    ['gpt-5.4-mini', 'none', 'xhigh'],
    ['gpt-5.1', 'none', 'high'],
    ['gpt-5-nano', undefined, 'high'],
    ['o3', undefined, 'high'],
  ])('of %s ranges from %s to %s', (id, off, xhigh) => {
    const entry = familyManners(`openai/${id}`)
    const compat = entry?.compat?.['openai-responses'] ?? {}
    const effortOf = (thinkingLevel: 'off' | 'minimal' | 'xhigh'): unknown =>
      (bodyOf({ thinkingLevel }, compat)['reasoning'] as { effort?: string } | undefined)?.effort
    expect(entry?.reasoning).toBe(true)
    expect([effortOf('off'), effortOf('minimal'), effortOf('xhigh')]).toEqual([off, 'low', xhigh])
  })
})

describe('the history', () => {
  it('returns encrypted reasoning only to the model that made it, and only before the item that followed it [LOOP-33c]', () => {
    const types = (...parts: (string | object)[]): unknown[] =>
      inputOf([anAnswer(...(parts as AssistantContent[]))]).map(({ type, role }) => type ?? role)
    expect(types(own, thought('a', 's'), 'text')).toEqual(['reasoning', 'assistant'])
    expect(types(own, thought('a'), 'text')).toEqual(['assistant'])
    expect(types(own, 'text', thought('a', 's'))).toEqual(['assistant'])
    expect(types(own, thought('a', 's'))).toEqual([])
    for (const other of [{ model: 'other' }, { provider: 'other' }, { api: 'openai-completions' }]) {
      expect(types(own, other, thought('a', 's'), 'c1')).toEqual(['function_call', 'function_call_output'])
    }
  })

  it('keeps the phase of the text of the same model, and no other mark', () => {
    const printed = (textSignature: string, more: object = own) =>
      inputOf([anAnswer(more, { type: 'text', text: 'a', textSignature })])[0]
    expect(printed('final_answer')).toEqual({ role: 'assistant', content: 'a', phase: 'final_answer' })
    expect(printed('something')).toEqual({ role: 'assistant', content: 'a' })
    expect(printed('final_answer', { ...own, model: 'other' })).toEqual({ role: 'assistant', content: 'a' })
  })

  it('has no item ids, as the API stores nothing', () => {
    const input = inputOf([aUser('a'), anAnswer(own, thought('a', 's'), 'text', 'c1'), aResult('c1')])
    expect(input.filter((item) => 'id' in item)).toEqual([])
  })

  it('adds results to calls without one, and drops empty content', () => {
    expect(inputOf([aUser(' '), anAnswer('c1'), aUser([]), aUser('go on')])).toMatchObject([
      { type: 'function_call', call_id: 'c1' },
      { type: 'function_call_output', call_id: 'c1' },
      { role: 'user', content: 'go on' },
    ])
    expect(inputOf([anAnswer('c1'), aResult('c1', [])])[1]).toMatchObject({ output: '(no output)' })
  })

  it('gives every call a unique valid id, and its result the same [LOOP-33d]', () => {
    const turns = [`call_${'x'.repeat(80)}|fc.1`, 'c1', 'c1'].flatMap((id) => [anAnswer(id), aResult(id)])
    const input = inputOf(turns)
    const ids = (type: string): unknown[] =>
      input.filter((item) => item['type'] === type).map((item) => item['call_id'])
    expect(new Set(ids('function_call')).size).toBe(3)
    for (const id of ids('function_call')) expect(id).toMatch(/^[\w-]{1,64}$/)
    expect(ids('function_call_output')).toEqual(ids('function_call'))
  })

  it('replaces unsupported and missing images by a text', () => {
    const gone = { type: 'image', mimeType: 'image/png', blob: '0'.repeat(64), bytes: 3 } as const
    const textOnly = { model: { ...model, inputs: ['text' as const] } }
    expect(inputOf([aUser([{ type: 'text', text: 'See' }, png])], textOnly)).toEqual([
      { role: 'user', content: 'See\n[an image (image/png); this model supports text only]' },
    ])
    expect(inputOf([anAnswer('c1'), aResult('c1', [gone])])[1]).toMatchObject({
      output: '[an image (image/png) that is no longer available]',
    })
  })

  it('sends no unpaired surrogate', () => {
    expect(inputOf([aUser('a\ud83d'), anAnswer({ type: 'text', text: '\ude00b' })])).toEqual([
      { role: 'user', content: 'a\ufffd' },
      { role: 'assistant', content: '\ufffdb' },
    ])
  })
})
