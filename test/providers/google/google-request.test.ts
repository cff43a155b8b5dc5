// Tests the parameters of a request to Google's SDK.
import { Type } from '@sinclair/typebox'
import { describe, expect, it } from 'vitest'
import { familyManners } from '../../../lib/providers/catalogue/catalogue.ts'
import { defaultGoogleCompat } from '../../../lib/providers/google/google-options.ts'
import type { GoogleCompat } from '../../../lib/providers/google/google-options.ts'
import { googleRequest } from '../../../lib/providers/google/google-request.ts'
import type { AssistantContent, Message } from '../../../lib/streams/messages/message.ts'
import type { Model } from '../../../lib/streams/models/model.ts'
import type { ProviderRequest } from '../../../lib/streams/ports/provider.ts'
import { aRequest } from '../offline/a-request.ts'
import { aResult, aUser, anAnswer } from '../adapter/messages.ts'

const model: Model = {
  id: 'm',
  provider: 'maker',
  api: 'google-generative-ai',
  inputs: ['text', 'image'],
  reasoning: true,
  maxOutput: 1000,
}
const own = { api: 'google-generative-ai' }
const png = { type: 'image', mimeType: 'image/png', data: 'AAAA' } as const
const inlinePng = { inlineData: { mimeType: 'image/png', data: 'AAAA' } }
const tool = { name: 'read', description: 'Read a file.', parameters: Type.Object({ path: Type.String() }) }
const alone = { automaticFunctionCalling: { disable: true }, automaticContinuation: false }

/** The parameters of the SDK, as JSON. */
function requestsOf(fields: Partial<ProviderRequest>, compat: Partial<GoogleCompat> = {}) {
  const requests = googleRequest(aRequest({ model, ...fields }), { ...defaultGoogleCompat, ...compat })
  return JSON.parse(JSON.stringify(requests)) as { contents: Turn[]; config: Readonly<Record<string, unknown>> }
}
interface Turn {
  readonly role: string
  readonly parts: readonly Readonly<Record<string, unknown>>[]
}

function contentsOf(messages: readonly Message[], fields: Partial<ProviderRequest> = {}, compat = {}): readonly Turn[] {
  return requestsOf({ messages, ...fields }, compat).contents
}

function thought(thinking: string, thinkingSignature?: string): AssistantContent {
  return { type: 'thinking', thinking, ...(thinkingSignature === undefined ? {} : { thinkingSignature }) }
}

describe('the request', () => {
  it('has no optional field by default', () => {
    expect(requestsOf({ messages: [aUser('Hello')], model: { ...model, reasoning: false } })).toEqual({
      model: 'm',
      contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
      config: alone,
    })
  })

  it('has all fields of a full request', () => {
    const call = { type: 'toolCall', id: 'c1', name: 'read', arguments: { path: 'a' }, thoughtSignature: 's2' } as const
    const messages = [
      aUser('Read a and b.'),
      anAnswer(own, thought('Hidden.'), { type: 'text', text: 'Reading.', textSignature: 's1' }, call, 'c2'),
      aResult('c1', 'A'),
      { ...aResult('c2', [{ type: 'text', text: 'B' }, png]), isError: true },
      aUser('And this?'),
    ]
    const requests = { messages, system: 'Be brief.', tools: [tool], thinkingLevel: 'high', temperature: 0.2 } as const
    expect(requestsOf({ ...requests, maxTokens: 5000, toolChoice: { name: 'read' } })).toEqual({
      model: 'm',
      contents: [
        { role: 'user', parts: [{ text: 'Read a and b.' }] },
        {
          role: 'model',
          parts: [
            { text: 'Reading.', thoughtSignature: 's1' },
            { functionCall: { id: 'c1', name: 'read', args: { path: 'a' } }, thoughtSignature: 's2' },
            { functionCall: { id: 'c2', name: 'read', args: { path: 'a' } } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { id: 'c1', name: 'read', response: { output: 'A' } } },
            { functionResponse: { id: 'c2', name: 'read', response: { error: 'B' } } },
          ],
        },
        { role: 'user', parts: [{ text: 'The images of the tool results above:' }, inlinePng, { text: 'And this?' }] },
      ],
      config: {
        systemInstruction: 'Be brief.',
        tools: [
          {
            functionDeclarations: [
              {
                name: 'read',
                description: 'Read a file.',
                parametersJsonSchema: { type: 'object', required: ['path'], properties: { path: { type: 'string' } } },
              },
            ],
          },
        ],
        toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['read'] } },
        thinkingConfig: { includeThoughts: true, thinkingBudget: 16_384 },
        temperature: 0.2,
        maxOutputTokens: 1000,
        ...alone,
      },
    })
  })

  it.each([
    ['auto', 'AUTO'],
    ['none', 'NONE'],
    ['required', 'ANY'],
  ] as const)('has the mode for the tool choice %s: %s', (toolChoice, mode) => {
    expect(requestsOf({ tools: [tool], toolChoice }).config['toolConfig']).toEqual({ functionCallingConfig: { mode } })
    expect(requestsOf({ toolChoice }).config).not.toHaveProperty('toolConfig')
  })

  it('requests streamed arguments if compat sets it', () => {
    expect(requestsOf({ tools: [tool] }, { streamArguments: true }).config['toolConfig']).toEqual({
      functionCallingConfig: { streamFunctionCallArguments: true },
    })
  })
})

describe('thinking', () => {
  it.each([
    ['gemini-2.5-flash', { thinkingBudget: 0 }, { includeThoughts: true, thinkingBudget: 24_576 }],
    ['gemini-2.5-pro', { thinkingBudget: 128 }, { includeThoughts: true, thinkingBudget: 32_768 }],
    ['gemini-3-flash-preview', { thinkingLevel: 'MINIMAL' }, { includeThoughts: true, thinkingLevel: 'HIGH' }],
    ['gemini-3.8-flash', { thinkingLevel: 'MINIMAL' }, { includeThoughts: true, thinkingLevel: 'HIGH' }],
    ['gemini-3-pro-preview', { thinkingLevel: 'LOW' }, { includeThoughts: true, thinkingLevel: 'HIGH' }],
    ['gemini-3.1-pro-preview', { thinkingLevel: 'LOW' }, { includeThoughts: true, thinkingLevel: 'HIGH' }],
    ['gemini-4-argon', { thinkingLevel: 'LOW' }, { includeThoughts: true, thinkingLevel: 'HIGH' }],
  ])('of %s ranges from %j to %j', (id, off, most) => {
    const entry = familyManners(`google/${id}`)
    const compat = entry?.compat?.['google-generative-ai'] ?? {}
    expect(entry?.reasoning).toBe(true)
    expect(requestsOf({ thinkingLevel: 'off' }, compat).config['thinkingConfig']).toEqual(off)
    expect(requestsOf({ thinkingLevel: 'xhigh' }, compat).config['thinkingConfig']).toEqual(most)
  })

  it('is not requested from a model without reasoning', () => {
    const config = requestsOf({ thinkingLevel: 'high', model: { ...model, reasoning: false } }).config
    expect(config).not.toHaveProperty('thinkingConfig')
  })
})

describe('the history', () => {
  it('returns signatures and signed thoughts only to the model that made them [LOOP-33c]', () => {
    const signed = { type: 'text', text: 'a', textSignature: 's' } as const
    expect(contentsOf([aUser('x'), anAnswer(own, thought('b'), thought('c', 't'), signed)])[1]?.parts).toEqual([
      { text: 'c', thought: true, thoughtSignature: 't' },
      { text: 'a', thoughtSignature: 's' },
    ])
    for (const other of [{ model: 'other' }, { provider: 'other' }, { api: 'anthropic-messages' }]) {
      expect(contentsOf([aUser('x'), anAnswer(own, other, thought('c', 't'), signed)])[1]?.parts).toEqual([
        { text: 'a' },
      ])
    }
  })

  it('marks the first unsigned call of an answer if the API checks signatures', () => {
    const signed = { type: 'toolCall', id: 'c3', name: 'read', arguments: {}, thoughtSignature: 's' } as const
    const messages = [aUser('x'), anAnswer('c1', 'c2'), aResult('c1'), aResult('c2'), anAnswer(own, signed)]
    const signatures = contentsOf(messages, {}, { signedCalls: true }).map(({ parts }) =>
      parts.map(({ thoughtSignature }) => thoughtSignature),
    )
    expect(signatures.filter((_, index) => index % 2 === 1)).toEqual([
      ['skip_thought_signature_validator', undefined],
      ['s'],
    ])
  })

  it('puts results alone behind their calls, and alternates roles otherwise', () => {
    const messages = [
      aUser('a'),
      aUser('b'),
      anAnswer('text'),
      anAnswer('c1'),
      aUser('stop'),
      aResult('c1'),
      aUser('on'),
    ]
    expect(
      contentsOf(messages).map(({ role, parts }) => [
        role,
        ...parts.map((part) => part['text'] ?? Object.keys(part)[0]),
      ]),
    ).toEqual([
      ['user', 'a', 'b'],
      ['model', 'some text', 'functionCall'],
      ['user', 'functionResponse'],
      ['user', 'stop', 'on'],
    ])
  })

  it('begins with a user message, adds missing results, and drops empty content', () => {
    const blank = { type: 'text', text: ' ' } as const
    expect(contentsOf([anAnswer(blank, 'c1'), aUser(' '), aUser('go on')])).toMatchObject([
      { role: 'user', parts: [{ text: '[The conversation began earlier.]' }] },
      { role: 'model', parts: [{ functionCall: { name: 'read' } }] },
      {
        role: 'user',
        parts: [{ functionResponse: { response: { error: expect.stringContaining('No result') as string } } }],
      },
      { role: 'user', parts: [{ text: 'go on' }] },
    ])
  })

  it('gives every call a unique id, or none if the endpoint supports none [LOOP-33d]', () => {
    const messages = [aUser('x'), ...['c1', 'c1'].flatMap((id) => [anAnswer(id), aResult(id)])]
    const idsOf = (compat: Partial<GoogleCompat>): unknown[] =>
      contentsOf(messages, {}, compat).flatMap(({ parts }) =>
        parts.flatMap((part) => {
          const { id } = (part['functionCall'] ?? part['functionResponse'] ?? {}) as { id?: string }
          return id === undefined ? [] : [id]
        }),
      )
    expect(idsOf({})).toEqual(['c1', 'c1', 'c1_2', 'c1_2'])
    expect(idsOf({ callIds: false })).toEqual([])
  })

  it('puts the images of a result into it if the model supports that', () => {
    const turns = contentsOf([aUser('x'), anAnswer('c1'), aResult('c1', [png])], {}, { imagesInResults: true })
    expect(turns.at(-1)?.parts).toEqual([
      { functionResponse: { id: 'c1', name: 'read', response: { output: '(see the image)' }, parts: [inlinePng] } },
    ])
  })

  it('replaces unsupported images by a text', () => {
    const textOnly = { model: { ...model, inputs: ['text' as const] } }
    expect(contentsOf([aUser([png])], textOnly)[0]?.parts).toEqual([
      { text: '[an image (image/png); this model supports text only]' },
    ])
  })
})
