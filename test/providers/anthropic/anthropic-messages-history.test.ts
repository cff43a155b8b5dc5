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
