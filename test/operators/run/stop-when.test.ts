// Tests the stop rules, such as `maxTurns` and `spent`.
import { describe, expect, it } from 'vitest'
import { calledTool, maxTurns, sameCallRepeated, spent } from '../../../lib/operators/run/stop-when.ts'
import type { FinishedTurn } from '../../../lib/streams/ports/hooks.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import { assistant, sampleUsage } from '../../streams/events/samples.ts'

function turn(fields: Partial<FinishedTurn> = {}): FinishedTurn {
  return { turns: 1, usage: noUsage, message: assistant(), results: [], sameCalls: 0, ...fields }
}

describe('maxTurns', () => {
  it.each([
    [1, false],
    [2, false],
    [3, true],
    [4, true],
  ])('of 3 after turn %i: %s', (turns, matches) => {
    expect(maxTurns(3).matches(turn({ turns }))).toBe(matches)
  })

  it('ends a run with its name as the stop rule', () => {
    expect(maxTurns(3)).toMatchObject({ name: 'maxTurns' })
    expect(maxTurns(3).reason ?? 'stopped').toBe('stopped')
  })
})

describe('a budget without prices', () => {
  const usage = { ...noUsage, cost: 'unknown' as const }

  it('names the model whose prices are missing', () => {
    const message = assistant([], { provider: 'maker', model: 'm-1' })
    expect(spent({ usd: 1 }).cannotTell?.(turn({ usage, message }))).toMatch(/^the cost of maker\/m-1 .* 1 USD/)
    expect(spent({ usd: 1 }).cannotTell?.({ ...turn({ usage }), message: undefined })).toMatch(/^the cost of the model/)
    expect(spent({ tokens: 1 }).cannotTell?.(turn({ usage }))).toBe(undefined)
  })
})

describe('spent', () => {
  const usage = {
    ...sampleUsage,
    totalTokens: 100,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0.5 },
  }

  it.each([
    [{ tokens: 100 }, true],
    [{ tokens: 101 }, false],
    [{ usd: 0.5 }, true],
    [{ usd: 0.51 }, false],
    [{ tokens: 1_000, usd: 0.1 }, true],
    [{ tokens: 10, usd: 9 }, true],
    [{ tokens: 1_000, usd: 9 }, false],
    [{}, false],
  ])('%j of 100 tokens and half a dollar: %s', (budget, matches) => {
    expect(spent(budget).matches(turn({ usage }))).toBe(matches)
  })

  it('never matches an unknown cost, and fails if tokens have no price', () => {
    const counted = { ...assistant(), usage: { ...noUsage, input: 5 } }
    const unpriced = turn({ usage: { ...usage, cost: 'unknown' }, message: counted })
    const uncounted = { ...unpriced, message: { ...counted, usage: noUsage } }
    expect(() => spent({ usd: 0 }).matches(unpriced)).toThrow(
      expect.objectContaining({ code: 'bad_request', message: expect.stringMatching(/set its prices/) as string }),
    )
    expect(spent({ usd: 0, unpriced: 'warn' }).matches(unpriced)).toBe(false)
    expect(spent({ usd: 0 }).matches(uncounted)).toBe(false)
    expect(spent({ usd: 0, tokens: 100 }).matches(unpriced)).toBe(true)
    expect(spent({ usd: 0, tokens: 101 }).matches(unpriced)).toBe(false)
    expect(() => spent({ usd: 0, tokens: 101, unpriced: 'end' }).matches(unpriced)).toThrow('set its prices')
  })

  it('explains that the cost is unknown, and how to fix that', () => {
    const message = { ...assistant(), usage: { ...noUsage, input: 5 } }
    const unknown = turn({ usage: { ...usage, cost: 'unknown' }, message })
    expect(spent({ usd: 2 }).cannotTell?.(unknown)).toMatch(/2 USD cannot be applied; set its prices in models.json/)
    const uncounted = turn({ usage: { ...usage, cost: 'unknown' }, message: { ...message, usage: noUsage } })
    expect(spent({ usd: 2 }).cannotTell?.(uncounted)).toMatch(
      /reported no usable count of tokens; set a limit of turns$/,
    )
    expect(spent({ usd: 2 }).cannotTell?.(turn({ usage }))).toBeUndefined()
    expect(spent({ tokens: 100 }).cannotTell?.(unknown)).toBeUndefined()
  })

  it('explains that nothing was reported, if a run of answers has neither tokens nor a cost', () => {
    const message = { ...assistant([{ type: 'text', text: 'Hi' }]), usage: noUsage }
    const silent = turn({ usage: noUsage, message })
    const reason = expect.stringMatching(
      /^no answer of .* reported tokens or a cost, so the limit of 2 USD counts 0/,
    ) as string
    expect(spent({ usd: 2 }).cannotTell?.(silent)).toEqual(reason)
    expect(spent({ usd: 2 }).matches(silent)).toBe(false)
    const empty = { ...silent, message: { ...message, content: [] } }
    const failed = { ...silent, message: { ...message, stopReason: 'aborted' as const } }
    const counted = turn({ usage: { ...noUsage, input: 1, totalTokens: 1 } }) // a free model
    for (const fine of [empty, failed, counted]) expect(spent({ usd: 2 }).cannotTell?.(fine)).toBeUndefined()
    expect(spent({ tokens: 2 }).cannotTell?.(silent)).toBeUndefined()
  })

  it('ends a run as budget_exceeded', () => {
    expect(spent({ usd: 1 })).toMatchObject({ name: 'spent', reason: 'budget_exceeded' })
  })
})

describe('calledTool', () => {
  const message = assistant([
    { type: 'text', text: 'finish' },
    { type: 'toolCall', id: 'c', name: 'finish', arguments: {} },
  ])

  it('matches a turn that called the tool', () => {
    expect(calledTool('finish').matches(turn({ message }))).toBe(true)
    expect(calledTool('other').matches(turn({ message }))).toBe(false)
    expect(calledTool('finish').matches(turn({ message: undefined }))).toBe(false)
    expect(calledTool('finish').matches(turn({ message: assistant([{ type: 'text', text: 'finish' }]) }))).toBe(false)
  })

  it('ends a run with its name as the stop rule', () => {
    expect(calledTool('finish').name).toBe('calledTool')
  })
})

describe('sameCallRepeated', () => {
  it.each([
    [0, false],
    [2, false],
    [3, true],
    [4, true],
  ])('after %i identical calls in a row: %s', (sameCalls, matches) => {
    expect(sameCallRepeated().matches(turn({ sameCalls }))).toBe(matches)
  })

  it('accepts a limit', () => {
    expect(sameCallRepeated(5).matches(turn({ sameCalls: 4 }))).toBe(false)
    expect(sameCallRepeated(5)).toMatchObject({ name: 'sameCallRepeated' })
  })
})
