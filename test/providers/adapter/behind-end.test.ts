// Tests that only usage counts behind an answer's terminal event.
import { describe, expect, it } from 'vitest'
import { block, event as anthropicEvent, messageEnd, messageStart, textBlock } from '../anthropic/anthropic-events.ts'
import { chunk as googleChunk, lastChunk } from '../google/google-chunks.ts'
import { foldDeltas } from '../offline/fold-deltas.ts'
import { callChunk, done, finishChunk, frame, textChunk, usageChunk } from '../openai/openai-chunks.ts'
import { callItem, completed, created, event, response, textItem } from '../openai/responses/responses-events.ts'
import { deltasOf } from './decoded-frames.ts'

interface Case {
  readonly api: string
  /** The text `a` and the terminal event. */
  readonly answer: readonly string[]
  /** A text and a tool call behind it. */
  readonly more: readonly string[]
  /** A usage of 7 tokens behind it. */
  readonly usage: string
}

const cases: readonly Case[] = [
  {
    api: 'openai-completions',
    answer: [textChunk('a'), finishChunk('stop'), done],
    more: [textChunk('b'), callChunk(0, '{}', { id: 'c', name: 'bash' }), finishChunk('content_filter')],
    usage: usageChunk(3, 4),
  },
  {
    api: 'openai-responses',
    answer: [created, ...textItem(0, 'a'), event('response.completed', { response: response('completed') })],
    more: [...textItem(1, 'b'), ...callItem(2, 'c', 'bash', '{}'), event('response.failed', { response: {} })],
    usage: completed(),
  },
  {
    api: 'anthropic-messages',
    answer: [messageStart(), ...textBlock(0, 'a'), ...messageEnd()],
    more: [
      ...textBlock(1, 'b'),
      ...block(2, { type: 'tool_use', id: 'c', name: 'bash', input: {} }),
      messageStart(),
      anthropicEvent({ type: 'error', error: { type: 'api_error', message: 'late' } }),
    ],
    usage: anthropicEvent({ type: 'message_delta', delta: {}, usage: { input_tokens: 3, output_tokens: 4 } }),
  },
  {
    api: 'declared',
    answer: [frame({ response: 'a' }), frame({ end: true })],
    more: [frame({ response: 'b' }), frame({ call: { slot: 0, id: 'c', name: 'bash', piece: '{}' } }), frame([])],
    usage: frame({ usage: { in: 3, out: 4 } }),
  },
]

describe.each(cases)('behind the end of $api', ({ api, answer, more, usage }) => {
  it('takes no text and no call, and no frame can fail the answer [S28a]', async () => {
    const message = foldDeltas(await deltasOf(api, ...answer, ...more, 'data: {broken\n\n', 'event: x\ndata: {}\n\n'))
    expect(message).toMatchObject({ content: [{ type: 'text', text: 'a' }], stopReason: 'stop' })
  })

  it('takes the usage [S28a]', async () => {
    expect(foldDeltas(await deltasOf(api, ...answer, ...more, usage)).usage.totalTokens).toBe(7)
  })
})

describe('content behind a finish reason [S28b]', () => {
  it('counts in a chat completion', async () => {
    const frames = [textChunk('a'), finishChunk('stop'), textChunk('b'), usageChunk(), done]
    expect(foldDeltas(await deltasOf('openai-completions', ...frames)).content).toMatchObject([{ text: 'ab' }])
  })

  it('counts until the end of the body for Google', async () => {
    const frames = [googleChunk([{ text: 'a' }]), lastChunk(), googleChunk([{ text: 'b' }])]
    expect(foldDeltas(await deltasOf('google-generative-ai', ...frames)).content).toMatchObject([{ text: 'ab' }])
  })
})
