// Tests usage that no response can have: it is unknown, and a warning says so.
import { describe, expect, it } from 'vitest'
import { customDecoder } from '../../../lib/providers/custom/custom-decoder.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import type { Model } from '../../../lib/streams/models/model.ts'
import { event as anthropicEvent, messageEnd, messageStart, textBlock } from '../anthropic/anthropic-events.ts'
import { foldDeltas } from '../offline/fold-deltas.ts'
import { done, finishChunk, frame, textChunk } from '../openai/openai-chunks.ts'
import { completed, created, textItem } from '../openai/responses/responses-events.ts'
import { deltasOf } from './decoded-frames.ts'

const model: Model = { id: 'm', provider: 'maker', api: 'own', inputs: ['text'], reasoning: false }

/** An answer whose output has this number of tokens. */
const answers: readonly (readonly [api: string, answer: (tokens: string) => readonly string[]])[] = [
  [
    'openai-completions',
    (tokens) => [
      textChunk('a'),
      finishChunk('stop'),
      withTokens(frame({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 'N' } }), tokens),
      done,
    ],
  ],
  [
    'openai-responses',
    (tokens) => [
      created,
      ...textItem(0, 'a'),
      withTokens(completed({ usage: { input_tokens: 3, output_tokens: 'N' } }), tokens),
    ],
  ],
  [
    'anthropic-messages',
    (tokens) => [
      messageStart(),
      ...textBlock(0, 'a'),
      withTokens(
        anthropicEvent({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 'N' } }),
        tokens,
      ),
      ...messageEnd().slice(1),
    ],
  ],
  [
    'google-generative-ai',
    (tokens) => [
      withTokens(
        frame({
          candidates: [{ content: { parts: [{ text: 'a' }] }, finishReason: 'STOP' }],
          usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 'N' },
        }),
        tokens,
      ),
    ],
  ],
  [
    'declared',
    (tokens) => [
      frame({ response: 'a' }),
      withTokens(frame({ usage: { in: 3, out: 'N' } }), tokens),
      frame({ end: true }),
    ],
  ],
]

function withTokens(text: string, tokens: string): string {
  return text.replace('"N"', tokens)
}

const impossible = ['-1e6', '1.5', '1e308', '9007199254740993']

describe.each(answers)('%s [ANSWER-usage]', (api, answer) => {
  it.each(impossible)('counts %s tokens as unknown, with a warning', async (tokens) => {
    const deltas = await deltasOf(api, ...answer(tokens))
    expect(foldDeltas(deltas)).toMatchObject({ content: [{ text: 'a' }], usage: { totalTokens: 0, cost: 'unknown' } })
    const [warning, ...others] = deltas.filter(({ type }) => type === 'warning')
    expect(warning).toMatchObject({ code: 'usage_impossible', context: { provider: 'maker' } })
    expect(others).toEqual([])
  })

  it('counts a possible number', async () => {
    const deltas = await deltasOf(api, ...answer('4'))
    expect(foldDeltas(deltas).usage).toMatchObject({ input: 3, output: 4, cost: { total: 11e-6 } })
    expect(deltas.filter(({ type }) => type === 'warning')).toEqual([])
  })
})

it('names the field and the number in the warning', async () => {
  const details = { prompt_tokens: 3, completion_tokens: 4, prompt_tokens_details: { cached_tokens: -2 } }
  const deltas = await deltasOf('openai-completions', textChunk('a'), frame({ choices: [], usage: details }), done)
  expect(deltas).toContainEqual(
    expect.objectContaining({ message: expect.stringContaining('prompt_tokens_details.cached_tokens -2') as unknown }),
  )
})

it.each([Infinity, NaN])('counts %d tokens of a declared API as unknown, with a warning [ANSWER-usage]', (tokens) => {
  const deltas: AssistantDelta[] = []
  const parse = (): unknown => ({ text: 'a', usage: { input: 3, output: tokens }, done: true })
  const parser = { name: 'parseStreamChunk', parse, whole: false }
  const decoder = customDecoder({ model, context: { provider: 'maker' }, parser: () => parser }, (delta) => {
    deltas.push(delta)
  })
  decoder.read({})
  decoder.end()
  expect(foldDeltas(deltas)).toMatchObject({ content: [{ text: 'a' }], usage: { totalTokens: 0, cost: 'unknown' } })
  expect(deltas).toContainEqual(expect.objectContaining({ code: 'usage_impossible' }))
})
