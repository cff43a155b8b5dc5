// Tests calls that no message can hold as they came: the answer stays, and each gets an error result (docs/loop.md#8).
import { from } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import { parseToolArguments } from '../../../lib/streams/messages/parse-tool-arguments.ts'
import { checkEvent } from '../../../lib/streams/validation/validators.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { virtualRun } from '../../../lib/testing/virtual-run.ts'
import type { VirtualRun } from '../../../lib/testing/virtual-run.ts'
import { faultsOfRun } from '../../support/laws.ts'

const done: AssistantDelta = { type: 'done', stopReason: 'toolUse', usage: noUsage }

function callDeltas(contentIndex: number, id: string, args = '{}'): readonly AssistantDelta[] {
  return [
    { type: 'toolcall_start', contentIndex, id, name: 'a' },
    { type: 'toolcall_delta', contentIndex, text: args },
    { type: 'toolcall_end', contentIndex, ...parseToolArguments(args) },
  ]
}

const text: readonly AssistantDelta[] = [
  { type: 'text_start', contentIndex: 0 },
  { type: 'text_delta', contentIndex: 0, text: 'done' },
  { type: 'text_end', contentIndex: 0 },
  { ...done, stopReason: 'stop' },
]

/** A run whose first answer has these deltas, and whose second one is a text. */
function play(deltas: readonly AssistantDelta[]) {
  const tool = fakeTool('a', 'ran')
  const answers = [from(deltas), from(text)]
  const settings = { model: scriptedModel, system: '', thinkingLevel: 'off' as const, tools: [tool] }
  const played = virtualRun({
    script: [],
    ports: {
      activeTools: () => [tool],
      settings: () => ({ ...settings, provider: () => answers.shift() ?? from([]) }),
    },
  })
  expect([played.end, faultsOfRun(played.events)]).toEqual(['complete', []])
  expect(played.events.find(({ type }) => type === 'agent_end')).toMatchObject({ terminationReason: 'completed' })
  return { played, tool }
}

function resultsOf(played: VirtualRun) {
  return played.messages.flatMap((message) =>
    message.role === 'toolResult'
      ? [
          {
            isError: message.isError,
            text: message.content.map((part) => (part.type === 'text' ? part.text : '')).join(),
          },
        ]
      : [],
  )
}

describe('a call whose arguments are nested 20,000 levels deep', () => {
  const deep = `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`

  it('gets an error result in words, and its text stays in the transcript [LOOP-8e]', () => {
    const { played, tool } = play([...callDeltas(0, 'c', deep), done])
    const [result] = resultsOf(played)
    expect(result?.isError).toBe(true)
    expect(result?.text).toMatch(/^The arguments of a were not used: they are nested more than 1,000 levels deep\./)
    expect(result?.text.length).toBeLessThan(2_200)
    expect(tool.calls).toEqual([])
    expect(played.messages[1]).toMatchObject({ content: [{ arguments: {}, argumentsText: deep }] })
    for (const event of played.events) expect(checkEvent(event)).toMatchObject({ ok: true })
  })

  it('gets the same if a provider of your own parsed them [LOOP-8e]', () => {
    const parsed = JSON.parse(deep) as Record<string, unknown>
    const [start] = callDeltas(0, 'c')
    const end: AssistantDelta = { type: 'toolcall_end', contentIndex: 0, arguments: parsed }
    const { played } = play([...(start === undefined ? [] : [start]), end, done])
    expect(resultsOf(played)).toMatchObject([
      { isError: true, text: expect.stringContaining('1,000 levels') as unknown },
    ])
  })

  it('runs with 1,000 levels', () => {
    const { tool } = play([...callDeltas(0, 'c', `{"a":${'['.repeat(999)}${']'.repeat(999)}}`), done])
    expect(tool.calls).toHaveLength(1)
  })
})

describe('a call whose id has more than 512 characters', () => {
  it('gets an error result in words; the other calls run [LOOP-8f]', () => {
    const long = 'x'.repeat(600)
    const { played, tool } = play([...callDeltas(0, long), ...callDeltas(1, long), ...callDeltas(2, 'c'), done])
    const refused = { isError: true, text: expect.stringContaining('has 600 characters, more than 512') as unknown }
    expect(resultsOf(played)).toEqual([refused, refused, { isError: false, text: 'ran' }])
    expect(tool.calls).toHaveLength(1)
    for (const event of played.events) expect(checkEvent(event)).toMatchObject({ ok: true })
    const ids = played.messages.flatMap((message) => (message.role === 'toolResult' ? message.toolCallId : []))
    expect(new Set(ids).size).toBe(3)
  })

  it.each([
    [512, 1],
    [513, 0],
  ])('with %i characters runs %i times [LOOP-8f]', (length, times) => {
    expect(play([...callDeltas(0, 'x'.repeat(length)), done]).tool.calls).toHaveLength(times)
  })
})

describe('an answer with more than 10,000 blocks', () => {
  it('is cut off there, each call gets an error result in words, and the run goes on [LOOP-8g]', () => {
    const deltas = Array.from({ length: 10_001 }, (_, index) => callDeltas(index, `c${index}`)).flat()
    const { played, tool } = play([...deltas, done])
    const results = resultsOf(played)
    expect([results.length, tool.calls.length]).toEqual([10_000, 0])
    expect(new Set(results.map((result) => result.text))).toEqual(
      new Set([
        'The answer has more than 10000 blocks and was cut off there; none of its calls was run. Send fewer at once.',
      ]),
    )
    expect(played.messages[1]).toMatchObject({ stopReason: 'length' })
    expect(played.messages.at(-1)).toMatchObject({ role: 'assistant', content: [{ text: 'done' }] })
  })
})
