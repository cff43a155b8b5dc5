// Tests how a history becomes the messages of Bedrock's ConverseStream.
import { describe, expect, it } from 'vitest'
import type { BedrockCompat } from '../../../lib/providers/bedrock/bedrock-options.ts'
import { aResult, aUser, anAnswer } from '../adapter/messages.ts'
import { bodyOf, own, signed } from './bedrock-body.ts'

describe('the history', () => {
  const contentOf = (answer: ReturnType<typeof anAnswer>, compat: Partial<BedrockCompat> = {}): unknown => {
    const { messages } = bodyOf({ messages: [aUser('Go.'), answer, aUser('Go on.')] }, compat)
    return (messages as { role: string; content: unknown }[]).find(({ role }) => role === 'assistant')?.content
  }
  const sealed = { type: 'thinking', thinking: '', redacted: true, thinkingSignature: 'c2VhbGVk' } as const

  it('sends a model’s own thinking back: signed, encrypted, and unsigned only if it takes that', () => {
    expect(contentOf(anAnswer(own, sealed, 'text'))).toEqual([
      { reasoningContent: { redactedContent: 'c2VhbGVk' } },
      { text: 'some text' },
    ])
    expect(contentOf(anAnswer(own, 'thinking', 'text'))).toEqual([{ text: 'some text' }])
    expect(contentOf(anAnswer(own, 'thinking', 'text'), { replayThinking: true })).toEqual([
      { reasoningContent: { reasoningText: { text: 'some thought' } } },
      { text: 'some text' },
    ])
  })

  it('leaves out the thinking of another model', () => {
    expect(contentOf(anAnswer(own, { model: 'other' }, signed, sealed, 'text'))).toEqual([{ text: 'some text' }])
  })

  it('alternates roles and begins with the user', () => {
    const messages = [anAnswer(own, 'text'), anAnswer(own, 'text'), aUser('Go.'), aUser('Now.')]
    expect(bodyOf({ messages })['messages']).toEqual([
      { role: 'user', content: [{ text: '[The conversation began earlier.]' }] },
      { role: 'assistant', content: [{ text: 'some text' }, { text: 'some text' }] },
      { role: 'user', content: [{ text: 'Go.' }, { text: 'Now.' }] },
    ])
  })

  it('has no blank text, and a word for an empty result', () => {
    const messages = [aUser(' '), aUser('Go.'), anAnswer(own, { type: 'text', text: '\n' }, 'c1'), aResult('c1', [])]
    expect(bodyOf({ messages })['messages']).toMatchObject([
      { content: [{ text: 'Go.' }] },
      { content: [{ toolUse: { toolUseId: 'c1' } }] },
      { content: [{ toolResult: { content: [{ text: '(no output)' }] } }] },
    ])
  })

  it('names valid ids, each once', () => {
    const id = `call|${'y'.repeat(70)}`
    const messages = [aUser('Go.'), anAnswer(own, id), aResult(id), anAnswer(own, id), aResult(id)]
    const text = JSON.stringify(bodyOf({ messages })['messages'])
    const ids = [...text.matchAll(/"toolUseId":"([^"]*)"/g)].map(([, found]) => found ?? '')
    expect(ids.every((each) => /^[\w-]{1,64}$/.test(each))).toBe(true)
    expect([ids.length, new Set(ids).size, ids[0] === ids[1], ids[2] === ids[3]]).toEqual([4, 2, true, true])
  })

  it('has no empty name in the arguments of a call', () => {
    const call = { type: 'toolCall', id: 'c', name: 'read', arguments: { '': 1, a: [{ '': 2, b: null }] } } as const
    expect(contentOf(anAnswer(own, call))).toMatchObject([{ toolUse: { input: { a: [{ b: null }] } } }])
  })

  it('describes an image that the API or the model does not take', () => {
    const svg = { type: 'image', mimeType: 'image/svg+xml', data: 'AAAA' } as const
    expect(bodyOf({ messages: [aUser([svg])] })['messages']).toMatchObject([
      { content: [{ text: '[an image (image/svg+xml) of a type that this model does not support]' }] },
    ])
  })
})
