// Tests how a history becomes the messages of a chat completion request.
import { describe, expect, it } from 'vitest'
import { aResult, aUser, anAnswer } from '../../adapter/messages.ts'
import { model, png, messagesOf } from './openai-completions-body.ts'

describe('the history', () => {
  it('sends the images of results in a user message behind all results of the answer', () => {
    expect(
      messagesOf([
        anAnswer('c1', 'c2'),
        aResult('c1', [png]),
        aResult('c2', [{ type: 'text', text: 'B' }, png]),
        aUser('So?'),
      ]),
    ).toEqual([
      expect.objectContaining({ role: 'assistant', content: null }),
      { role: 'tool', tool_call_id: 'c1', content: '(see the image)' },
      { role: 'tool', tool_call_id: 'c2', content: 'B' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'The images of the tool results above:' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        ],
      },
      { role: 'user', content: 'So?' },
    ])
  })

  it('replaces unsupported and missing images by a text', () => {
    const textOnly = { model: { ...model, inputs: ['text' as const] } }
    const gone = { type: 'image', mimeType: 'image/png', blob: '0'.repeat(64), bytes: 3 } as const
    expect(messagesOf([aUser([{ type: 'text', text: 'See' }, png])], textOnly)).toEqual([
      { role: 'user', content: 'See\n[an image (image/png); this model supports text only]' },
    ])
    expect(messagesOf([anAnswer('c1'), aResult('c1', [gone])])).toMatchObject([
      {},
      { content: '[an image (image/png) that is no longer available]' },
    ])
  })

  it('marks an empty result', () => {
    expect(messagesOf([anAnswer('c1'), aResult('c1', [])])).toMatchObject([{}, { content: '(no output)' }])
  })

  it('sends {} for arguments that are not JSON', () => {
    const broken = { type: 'toolCall', id: 'c1', name: 'read', arguments: {}, argumentsText: '{"pa' } as const
    expect(messagesOf([anAnswer(broken), aResult('c1')])).toMatchObject([
      { tool_calls: [{ function: { name: 'read', arguments: '{}' } }] },
      {},
    ])
  })

  it('gives calls and results the same valid ids [LOOP-33d]', () => {
    const [answer, result] = messagesOf([anAnswer('call_a|fc_b'), aResult('call_a|fc_b')]) as [
      { tool_calls: [{ id: string }] },
      { tool_call_id: string },
    ]
    expect(answer.tool_calls[0].id).toMatch(/^[\w-]{1,40}$/)
    expect(result.tool_call_id).toBe(answer.tool_calls[0].id)
  })

  it('drops thinking, and answers of thinking only', () => {
    expect(messagesOf([aUser('a'), anAnswer('thinking'), aUser('b'), anAnswer('thinking', 'text')])).toEqual([
      { role: 'user', content: 'a' },
      { role: 'user', content: 'b' },
      { role: 'assistant', content: 'some text' },
    ])
  })

  it('returns thinking only to the model that made it, if the endpoint requires it [LOOP-33c]', () => {
    const thought = { type: 'thinking', thinking: 'Hm.', thinkingSignature: 'reasoning_content' } as const
    const replay = { replayThinking: true }
    expect(messagesOf([anAnswer(thought, 'text')], {}, replay)).toEqual([
      { role: 'assistant', content: 'some text', reasoning_content: 'Hm.' },
    ])
    expect(messagesOf([anAnswer({ model: 'other' }, thought, 'text')], {}, replay)).toEqual([
      { role: 'assistant', content: 'some text' },
    ])
  })

  it('sends no unpaired surrogate', () => {
    expect(messagesOf([aUser('a\ud83d'), anAnswer({ type: 'text', text: '\ude00b' })])).toEqual([
      { role: 'user', content: 'a\ufffd' },
      { role: 'assistant', content: '\ufffdb' },
    ])
  })
})
