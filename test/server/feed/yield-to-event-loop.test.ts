// Tests the queue of background steps and the end of a tick on Node's event loop.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { endOfTick, yieldToEventLoop } from '../../../lib/server/feed/yield-to-event-loop.ts'
import { sampleEvents } from '../../streams/events/samples.ts'

const record = (type: 'message_update' | 'turn_start') => ({ event: sampleEvents[type], at: 0 })
const endOfCallback = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve))

afterEach(() => {
  vi.restoreAllMocks()
})

describe('yieldToEventLoop', () => {
  it('calls the steps once, in order, in a later turn', async () => {
    const calls: string[] = []
    yieldToEventLoop(() => calls.push('a'))
    yieldToEventLoop(() => calls.push('b'))
    await endOfCallback()
    expect(calls).toEqual([])
    await nextTurn()
    expect(calls).toEqual(['a', 'b'])
    await nextTurn()
    expect(calls).toEqual(['a', 'b'])
  })

  it('leaves steps to the next turn when its slice of 4 ms is over', async () => {
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => now)
    const calls: string[] = []
    for (const [name, ms] of [
      ['a', 3],
      ['b', 1],
      ['c', 0],
    ] as const) {
      yieldToEventLoop(() => {
        calls.push(name)
        now += ms
      })
    }
    await nextTurn()
    expect(calls).toEqual(['a', 'b'])
    await nextTurn()
    expect(calls).toEqual(['a', 'b', 'c'])
  })

  it('calls a step that a step adds, behind the steps that wait', async () => {
    vi.spyOn(performance, 'now').mockReturnValue(0)
    const calls: string[] = []
    yieldToEventLoop(() => {
      calls.push('a')
      yieldToEventLoop(() => calls.push('c'))
    })
    yieldToEventLoop(() => calls.push('b'))
    await nextTurn()
    await nextTurn()
    expect(calls).toEqual(['a', 'b', 'c'])
  })

  it('does not call a step that was cancelled', async () => {
    const calls: string[] = []
    const cancel = yieldToEventLoop(() => calls.push('a'))
    yieldToEventLoop(() => calls.push('b'))
    cancel()
    await nextTurn()
    expect(calls).toEqual(['b'])
  })

  it('schedules one turn for all steps, and none without a step', async () => {
    await nextTurn()
    const immediate = vi.spyOn(globalThis, 'setImmediate')
    yieldToEventLoop(() => undefined)
    yieldToEventLoop(() => undefined)
    expect(immediate).toHaveBeenCalledTimes(1)
    await nextTurn()
    await nextTurn()
    expect(immediate).toHaveBeenCalledTimes(1)
  })
})

describe('endOfTick', () => {
  it.each([
    ['the end of the callback for a piece of a message', 'message_update', [1, 1]],
    ['the next turn for any other record', 'turn_start', [0, 1]],
  ] as const)('acts at %s', async (_, type, expected) => {
    let calls = 0
    endOfTick(() => calls++, record(type))
    await endOfCallback()
    const atOnce = calls
    await nextTurn()
    expect([atOnce, calls]).toEqual(expected)
  })

  it.each(['message_update', 'turn_start'] as const)('does not act after it was cancelled at %s', async (type) => {
    let calls = 0
    const cancel = endOfTick(() => calls++, record(type))
    cancel()
    await endOfCallback()
    await nextTurn()
    expect(calls).toBe(0)
  })
})
