// Tests the playback of scripted answers.
import { describe, expect, it } from 'vitest'
import { playAnswer } from './play-answer.ts'
import type { PlayedDelta } from './play-answer.ts'
import type { Answer } from './situation.ts'

/** The deltas up to the end, to the failure's text, or to the abort after the delta of this type. */
async function eventsOf(answer: Answer, abortAt?: string): Promise<string[]> {
  const controller = new AbortController()
  const types: string[] = []
  try {
    for await (const { type } of playAnswer(answer, controller.signal)) {
      types.push(type)
      if (type === abortAt) controller.abort()
    }
  } catch (error) {
    types.push(String(error))
  }
  return types
}

describe('playAnswer', () => {
  it('emits each block from its start to its end, then done', async () => {
    expect(await eventsOf([{ thinks: ['a'] }, { says: ['b', 'c'] }])).toEqual(
      'start thinking_start thinking_delta thinking_end text_start text_delta text_delta text_end done'.split(' '),
    )
  })

  it('leaves a call open that is cut', async () => {
    expect(await eventsOf([{ calls: 'c1', tool: 'echo', args: {}, cut: true }, { fails: 'boom' }])).toEqual(
      'start,toolcall_start,toolcall_delta,Error: boom'.split(','),
    )
  })

  it('ends without done after an abort, and does not fail any more', async () => {
    expect(await eventsOf([{ says: ['a'] }, { fails: 'boom' }], 'text_start')).toEqual(['start', 'text_start'])
  })

  it('waits for the abort if its script says so', async () => {
    expect(await eventsOf([{ begins: true }, { waits: true }], 'start')).toEqual(['start'])
  })

  it.each([
    [[{ says: ['a'] }], 'stop'],
    [[{ calls: 'c1', tool: 'echo', args: {} }], 'toolUse'],
    [[{ says: ['a'] }, { ends: 'length' }], 'length'],
  ] as const)('assigns %j the stop reason %s', async (answer, stopReason) => {
    const ends: PlayedDelta[] = []
    for await (const delta of playAnswer(answer, new AbortController().signal)) ends.push(delta)
    expect(ends.at(-1)).toEqual({ type: 'done', stopReason })
  })
})
