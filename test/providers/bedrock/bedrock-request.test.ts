// Tests the body of a request to Bedrock's ConverseStream.
import { Type } from '@sinclair/typebox'
import { describe, expect, it } from 'vitest'
import type { BedrockCompat } from '../../../lib/providers/bedrock/bedrock-options.ts'
import type { ThinkingLevel } from '../../../lib/streams/models/model.ts'
import type { ProviderRequest } from '../../../lib/streams/ports/provider.ts'
import { aResult, aUser, anAnswer } from '../adapter/messages.ts'
import { bodyOf, own, signed } from './bedrock-body.ts'
import { model } from './bedrock-scene.ts'

const png = { type: 'image', mimeType: 'image/png', data: 'AAAA' } as const
const tool = { name: 'read', description: 'Read a file.', parameters: Type.Object({ path: Type.String() }) }
const claude: Partial<BedrockCompat> = { thinking: 'budget', cachePoints: true, limitOutput: true }
const readSpec = {
  toolSpec: {
    name: 'read',
    description: 'Read a file.',
    inputSchema: { json: { type: 'object', required: ['path'], properties: { path: { type: 'string' } } } },
  },
}
const cachePoint = { cachePoint: { type: 'default' } }

function fieldsFor(
  thinkingLevel: ThinkingLevel,
  compat: Partial<BedrockCompat>,
  fields: Partial<ProviderRequest> = {},
) {
  return bodyOf({ messages: [aUser('Hello')], thinkingLevel, ...fields }, compat)['additionalModelRequestFields']
}

describe('the body of a request', () => {
  it('has no optional field by default', () => {
    expect(bodyOf({ messages: [aUser('Hello')] })).toEqual({
      messages: [{ role: 'user', content: [{ text: 'Hello' }] }],
    })
  })

  it('has all fields of a full request', () => {
    const messages = [
      aUser('Read a and b.'),
      anAnswer(own, signed, 'text', 'c1', 'c2'),
      aResult('c1', 'A'),
      { ...aResult('c2', [{ type: 'text', text: 'B' }, png]), isError: true },
      anAnswer(own, 'text'),
      aUser([{ type: 'text', text: 'And this?' }, png]),
    ]
    const fields = { messages, system: 'Be brief.', tools: [tool], thinkingLevel: 'high', temperature: 0.2 } as const
    expect(bodyOf({ ...fields, toolChoice: 'required' }, claude)).toEqual({
      messages: [
        { role: 'user', content: [{ text: 'Read a and b.' }] },
        {
          role: 'assistant',
          content: [
            { reasoningContent: { reasoningText: { text: 'some thought', signature: 'sig' } } },
            { text: 'some text' },
            { toolUse: { toolUseId: 'c1', name: 'read', input: { path: 'a' } } },
            { toolUse: { toolUseId: 'c2', name: 'read', input: { path: 'a' } } },
          ],
        },
        {
          role: 'user',
          content: [
            { toolResult: { toolUseId: 'c1', content: [{ text: 'A' }] } },
            {
              toolResult: {
                toolUseId: 'c2',
                content: [{ text: 'B' }, { image: { format: 'png', source: { bytes: 'AAAA' } } }],
                status: 'error',
              },
            },
            cachePoint,
          ],
        },
        { role: 'assistant', content: [{ text: 'some text' }] },
        {
          role: 'user',
          content: [{ text: 'And this?' }, { image: { format: 'png', source: { bytes: 'AAAA' } } }, cachePoint],
        },
      ],
      system: [{ text: 'Be brief.' }, cachePoint],
      inferenceConfig: { maxTokens: 32_000 },
      toolConfig: { tools: [readSpec, cachePoint], toolChoice: { any: {} } },
      additionalModelRequestFields: {
        thinking: { type: 'enabled', budget_tokens: 16_384, display: 'summarized' },
        anthropic_beta: ['interleaved-thinking-2025-05-14'],
      },
    })
  })

  it('names the tool that a choice forces, and has no word for `none`', () => {
    expect(bodyOf({ tools: [tool], toolChoice: { name: 'read' } })['toolConfig']).toMatchObject({
      toolChoice: { tool: { name: 'read' } },
    })
    for (const toolChoice of ['none', 'auto'] as const)
      expect(bodyOf({ tools: [tool], toolChoice })['toolConfig']).toEqual({ tools: [readSpec] })
  })

  it('names the tools of its history if it has none', () => {
    const messages = [aUser('Go.'), anAnswer(own, 'c1', 'c2'), aResult('c1'), aResult('c2')]
    expect(bodyOf({ messages })['toolConfig']).toEqual({
      tools: [
        {
          toolSpec: {
            name: 'read',
            description: 'Is not available now: do not call it.',
            inputSchema: { json: { type: 'object' } },
          },
        },
      ],
    })
  })

  it('has the output limit of the request, else that of the model if it wants one', () => {
    expect(bodyOf({ maxTokens: 5 })['inferenceConfig']).toEqual({ maxTokens: 5 })
    expect(bodyOf({ temperature: 0.5 })['inferenceConfig']).toEqual({ temperature: 0.5 })
    expect(bodyOf({}, { limitOutput: true })['inferenceConfig']).toEqual({ maxTokens: 32_000 })
  })
})

describe('thinking', () => {
  const effort = { low: 'low', high: 'max' }
  it.each<[ThinkingLevel, Partial<BedrockCompat>, unknown]>([
    ['high', {}, undefined],
    ['off', { thinking: 'budget' }, undefined],
    [
      'low',
      { thinking: 'budget', interleavedThinking: false },
      { thinking: { type: 'enabled', budget_tokens: 2048, display: 'summarized' } },
    ],
    [
      'low',
      { thinking: 'budget', interleavedThinking: false, summarizedThinking: false },
      { thinking: { type: 'enabled', budget_tokens: 2048 } },
    ],
    ['off', { thinking: 'budget', withoutThinking: 'disabled' }, { thinking: { type: 'disabled' } }],
    [
      'high',
      { thinking: 'adaptive', effort },
      { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'max' } },
    ],
    ['off', { thinking: 'adaptive', effort }, undefined],
    [
      'off',
      { thinking: 'adaptive', effort: { off: 'low' }, withoutThinking: 'never' },
      { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'low' } },
    ],
    [
      'low',
      { thinking: 'adaptive', effort, boundThinking: true },
      {
        thinking: {
          type: 'adaptive',
          display: 'summarized',
          block_binding: { prefix_mismatch_behavior: 'drop_block' },
        },
        output_config: { effort: 'low' },
        anthropic_beta: ['thinking-binding-controls-2026-08-01'],
      },
    ],
    ['high', { thinking: 'effort' }, { reasoning_effort: 'high' }],
    ['off', { thinking: 'effort' }, undefined],
    ['xhigh', { thinking: 'reasoning', effort: { xhigh: 'xhigh' } }, { reasoning: { effort: 'xhigh' } }],
  ])('at level %s with %j is requested as %j', (level, compat, expected) => {
    expect(fieldsFor(level, compat)).toEqual(expected)
  })

  it('is not requested of a model that does not reason', () => {
    for (const thinking of ['budget', 'adaptive', 'effort', 'reasoning'] as const)
      expect(fieldsFor('high', { thinking }, { model: { ...model, reasoning: false } })).toBeUndefined()
  })

  it('leaves 1,024 tokens for the answer, and is left out if too few remain', () => {
    expect(fieldsFor('high', claude, { maxTokens: 4096 })).toMatchObject({ thinking: { budget_tokens: 3072 } })
    expect(fieldsFor('high', claude, { maxTokens: 2000 })).toBeUndefined()
  })

  it('is left out in a tool run that began without it', () => {
    const run = [aUser('Go.'), anAnswer(own, 'c1'), aResult('c1')]
    expect(fieldsFor('high', claude, { messages: run })).toBeUndefined()
    const thought = [aUser('Go.'), anAnswer(own, signed, 'c1'), aResult('c1')]
    expect(fieldsFor('high', claude, { messages: thought })).toMatchObject({ thinking: { type: 'enabled' } })
  })

  it('excludes a temperature, except where it is off', () => {
    const temperatureAt = (level: ThinkingLevel, compat: Partial<BedrockCompat>): unknown =>
      bodyOf({ messages: [aUser('Hello')], thinkingLevel: level, temperature: 0.2 }, compat)['inferenceConfig']
    expect(temperatureAt('high', { thinking: 'adaptive' })).toBeUndefined()
    expect(temperatureAt('off', { thinking: 'adaptive', withoutThinking: 'disabled' })).toEqual({ temperature: 0.2 })
    expect(temperatureAt('high', { thinking: 'effort' })).toEqual({ temperature: 0.2 })
    expect(temperatureAt('off', { temperature: false })).toBeUndefined()
  })
})
