// Tests how a history becomes the messages of a Messages API request.
import { describe, expect, it } from 'vitest'
import type { Message } from '../../../lib/streams/messages/message.ts'
import type { ProviderRequest } from '../../../lib/streams/ports/provider.ts'
import { aResult, aUser, anAnswer } from '../adapter/messages.ts'
import { model, own, png, bodyOf, thought } from './anthropic-messages-scene.ts'
import type { Body } from './anthropic-messages-scene.ts'

/** The messages without cache marks, which have a test of their own. */
function messagesOf(messages: readonly Message[], fields: Partial<ProviderRequest> = {}): Body['messages'] {
  return bodyOf({ messages, ...fields }, { cacheBreakpoints: false }).messages
}

describe('the history', () => {
  it('returns thinking only to the model that made it, unchanged, also if hidden or redacted [LOOP-33c]', () => {
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

  it('puts results first in their turn and alternates roles', () => {
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

  it('begins with a user message', () => {
    expect(messagesOf([anAnswer('text'), aUser('and?')]).map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  })

  it('adds results to calls without one, and drops results without a call', () => {
    const history = messagesOf([aUser('a'), anAnswer('c1', 'c2'), aResult('c2'), aResult('c9'), aUser('go on')])
    expect(history[2]?.content).toMatchObject([
      { tool_use_id: 'c1', is_error: true },
      { tool_use_id: 'c2' },
      { type: 'text', text: 'go on' },
    ])
  })

  it('drops empty content, and marks an empty result', () => {
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

  it('gives every call a unique valid id, and its result the same [LOOP-33d]', () => {
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

  it('replaces unsupported and missing images by a text', () => {
    const textOnly = { model: { ...model, inputs: ['text' as const] } }
    const gone = { type: 'image', mimeType: 'image/png', blob: '0'.repeat(64), bytes: 3 } as const
    const tiff = { ...png, mimeType: 'image/tiff' }
    expect(messagesOf([aUser([png])], textOnly)[0]?.content).toEqual([
      { type: 'text', text: '[an image (image/png); this model supports text only]' },
    ])
    expect(messagesOf([aUser([gone, tiff])])[0]?.content).toEqual([
      { type: 'text', text: '[an image (image/png) that is no longer available]' },
      { type: 'text', text: '[an image (image/tiff) of a type that this model does not support]' },
    ])
  })

  it('sends no unpaired surrogate', () => {
    const history = messagesOf([aUser('a\ud83d'), anAnswer({ type: 'text', text: '\ude00b' })])
    expect(history.map(({ content }) => content[0]?.['text'])).toEqual(['a\ufffd', '\ufffdb'])
  })
})
