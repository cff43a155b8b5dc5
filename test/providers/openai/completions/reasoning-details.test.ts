// Tests that the reasoning details of an answer return with it, unchanged.
import { describe, expect, it } from 'vitest'
import { presets } from '../../../../lib/providers/endpoints/presets.ts'
import type { AssistantMessage } from '../../../../lib/streams/messages/message.ts'
import { rawSseServer } from '../../../support/raw-sse-server.ts'
import { aResult, anAnswer, aUser } from '../../adapter/messages.ts'
import { foldDeltas } from '../../offline/fold-deltas.ts'
import { callChunk, chunk, ending, textChunk } from '../openai-chunks.ts'
import { messagesOf } from './openai-completions-body.ts'
import { deltasOf, model } from './openai-completions-scene.ts'

const compat = { reasoningDetails: true, replayThinking: true }
const encrypted = { type: 'reasoning.encrypted', id: 'tool_1', data: 'c2lnbmVk', format: 'google-gemini-v1', index: 0 }
const call = callChunk(0, '{}', { id: 'tool_1', name: 'read' })

async function answerOf(body: readonly string[], used: object = compat): Promise<AssistantMessage> {
  await using server = await rawSseServer({ body })
  return foldDeltas(await deltasOf({ baseUrl: server.url, compat: used }))
}

/** The assistant message of a next request, to the model of the answer unless another is named. */
function replayed({ content }: AssistantMessage, used: object = compat, id = 'm'): unknown {
  const { api, provider } = model
  const answer = anAnswer({ api, provider, model: id }, ...content)
  return (messagesOf([aUser('Hello'), answer, aResult('tool_1')], {}, used) as unknown[])[1]
}

describe('reasoning details', () => {
  it('return with the calls of the same model alone [LOOP-33c]', async () => {
    const answer = await answerOf([call, chunk({ reasoning_details: [encrypted] }), ending('tool_calls')])
    expect(answer.content.at(-1)).toEqual({
      type: 'thinking',
      thinking: '',
      thinkingSignature: JSON.stringify([encrypted]),
    })
    expect(replayed(answer)).toMatchObject({ tool_calls: [{ id: 'tool_1' }], reasoning_details: [encrypted] })
    expect(replayed(answer, compat, 'other')).not.toHaveProperty('reasoning_details')
  })

  it('are whole: pieces of one text are joined, with the signature of the last', async () => {
    const text = { type: 'reasoning.text', index: 0, format: 'anthropic-claude-v1' }
    const answer = await answerOf([
      chunk({ reasoning: 'Let ', reasoning_details: [{ ...text, text: 'Let ', signature: null }] }),
      chunk({ reasoning: 'me.', reasoning_details: [{ ...text, text: 'me.' }] }),
      chunk({ reasoning_details: [{ ...text, signature: 'sig' }] }),
      chunk({ reasoning_details: [{ ...text, index: 1, text: 'More' }, encrypted, { ...encrypted, id: 'tool_2' }] }),
      textChunk('Hello'),
      ending(),
    ])
    expect(answer.content).toMatchObject([{ thinking: 'Let me.' }, { text: 'Hello' }, { thinking: '' }])
    expect(replayed(answer)).toEqual({
      role: 'assistant',
      content: 'Hello',
      reasoning_details: [
        { ...text, text: 'Let me.', signature: 'sig' },
        { ...text, index: 1, text: 'More' },
        encrypted,
        { ...encrypted, id: 'tool_2' },
      ],
    })
  })

  it('are neither taken nor sent by an endpoint without the option', async () => {
    const chunks = [chunk({ reasoning: 'Hm.', reasoning_details: [encrypted] }), call, ending('tool_calls')]
    const answer = await answerOf(chunks, {})
    expect(answer.content).toMatchObject([{ thinking: 'Hm.', thinkingSignature: 'reasoning' }, { type: 'toolCall' }])
    const taken = await answerOf(chunks)
    expect(replayed(taken, { replayThinking: true })).toMatchObject({ reasoning: 'Hm.' })
    expect(Object.keys(replayed(taken, { replayThinking: true }) as object).sort()).toEqual(
      ['content', 'reasoning', 'role', 'tool_calls'].sort(),
    )
  })

  it.each([[null], ['text'], [[null, 1]], [{}]])('that are %j are ignored', async (reasoning_details) => {
    expect((await answerOf([chunk({ reasoning_details }), textChunk('a'), ending()])).content).toEqual([
      { type: 'text', text: 'a' },
    ])
  })

  it.each<[string, (text: string) => object]>([
    ['text', (text) => ({ type: 'reasoning.text', index: 0, text })],
    ['nested', (text) => ({ nested: [text] })],
  ])('that are too long are left out: %s', async (_, detailOf) => {
    const body = Array.from({ length: 17 }, () => chunk({ reasoning_details: [detailOf('x'.repeat(1_048_576))] }))
    expect((await answerOf([...body, textChunk('a'), ending()])).content).toEqual([{ type: 'text', text: 'a' }])
  })

  it('of a damaged log are left out', () => {
    const broken = { type: 'thinking', thinking: '', thinkingSignature: '[{"type"' } as const
    expect(replayed(anAnswer(broken, 'tool_1'))).not.toHaveProperty('reasoning_details')
  })

  it('are on for OpenRouter', () => {
    expect(presets['openrouter']?.compat?.['openai-completions']).toMatchObject({ reasoningDetails: true })
  })
})
