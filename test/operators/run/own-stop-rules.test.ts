// Tests stop rules of streams, and of other rules.
import { EMPTY, NEVER, Observable, Subject, map, merge, of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { FinishedTurn, StopRule } from '../../../lib/streams/ports/hooks.ts'
import { allOf, anyOf, beginRule, stopRule, toolFailed } from '../../../lib/operators/run/own-stop-rules.ts'
import { maxTurns, spent } from '../../../lib/operators/run/stop-when.ts'
import type { ToolResultMessage } from '../../../lib/streams/messages/message.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'

/** A turn whose results are `x` for an error and `o` for none, of the tool `a`; in capitals, of the tool `b`. */
function turn(results = '', turns = 1): FinishedTurn {
  const messages = Array.from(results, (letter, index): ToolResultMessage => {
    const toolName = letter === letter.toUpperCase() ? 'b' : 'a'
    const isError = letter.toLowerCase() === 'x'
    return { role: 'toolResult', toolCallId: `${index}`, toolName, content: [], isError, timestamp: 0 }
  })
  return { turns, usage: noUsage, message: undefined, results: messages, sameCalls: 0 }
}

/** The answers of one run of the rule. */
function played(rule: StopRule, ...turns: readonly FinishedTurn[]): boolean[] {
  const own = beginRule(rule)
  const answers = turns.map((each) => own.matches(each))
  own.end?.()
  return answers
}

describe('stopRule', () => {
  it.each<[string, (turn$: Observable<FinishedTurn>) => Observable<boolean>, boolean[]]>([
    ['the last value', (turn$) => turn$.pipe(map(({ turns }) => turns === 2)), [false, true, false]],
    ['a value from before the first turn', () => of(true), [true, true, true]],
    ['the last value after an end', () => of(false, true), [true, true, true]],
    ['false without a value', () => EMPTY, [false, false, false]],
    ['false for a stream that waits', () => NEVER, [false, false, false]],
  ])('decides by %s', (_, project, answers) => {
    expect(played(stopRule('own', project), turn('', 1), turn('', 2), turn('', 3))).toEqual(answers)
  })

  it('takes values of other streams, between turns', () => {
    const other$ = new Subject<boolean>()
    const rule = beginRule(stopRule('own', (turn$) => merge(other$, turn$.pipe(map(() => false)))))
    expect(rule.matches(turn())).toBe(false)
    const later = beginRule(stopRule('own', () => other$))
    other$.next(true)
    expect(later.matches(turn())).toBe(true)
  })

  it('is subscribed by each run, and unsubscribed at its end', () => {
    const log: string[] = []
    const rule = stopRule('own', () => new Observable<boolean>(() => (log.push('on'), () => log.push('off'))))
    expect(log).toEqual([])
    played(rule, turn())
    played(rule)
    expect(log).toEqual(['on', 'off', 'on', 'off'])
  })

  it('fails with its stream, or with a throw of the function', () => {
    const failing = stopRule('own', () => throwError(() => new Error('no meter')))
    const throwing = stopRule('own', () => {
      throw new Error('no meter')
    })
    for (const rule of [failing, throwing]) expect(() => played(rule, turn())).toThrow('no meter')
  })

  it('has its name and its reason', () => {
    expect(stopRule('own', () => EMPTY)).not.toHaveProperty('reason')
    const rule = stopRule('own', () => EMPTY, { reason: 'budget_exceeded' })
    expect([rule, beginRule(rule)]).toMatchObject(Array(2).fill({ name: 'own', reason: 'budget_exceeded' }))
  })
})

describe('toolFailed', () => {
  it.each([
    ['three in a row', 'x x x', [false, false, true]],
    ['over one turn', 'xxx', [true]],
    ['a row that a success breaks', 'xx oxx x', [false, false, true]],
    ['a row within a turn, whatever follows', 'xxxo o', [true, false]],
    ['turns without results', 'x - x - x', [false, false, false, false, true]],
  ])('counts %s', (_, turns, answers) => {
    const each = turns.split(' ').map((results) => turn(results === '-' ? '' : results))
    expect(played(toolFailed(), ...each)).toEqual(answers)
  })

  it('counts the results of one tool', () => {
    expect(played(toolFailed(2, { tool: 'b' }), turn('xX'), turn('ox'), turn('X'))).toEqual([false, false, true])
  })
})

describe('anyOf and allOf', () => {
  const odd = stopRule('odd', (turn$) => turn$.pipe(map(({ turns }) => turns % 2 === 1)))

  it('match by one rule, or by all at the same turn', () => {
    const turns = [turn('', 1), turn('', 2), turn('', 3)]
    expect(played(anyOf(odd, maxTurns(2)), ...turns)).toEqual([true, true, true])
    expect(played(allOf(odd, maxTurns(2)), ...turns)).toEqual([false, false, true])
    expect([played(anyOf(), ...turns), played(allOf(), ...turns)].flat()).not.toContain(true)
  })

  it('have the names, the reason and the doubts of their rules', () => {
    const budget = spent({ usd: 1 })
    expect(anyOf(odd, budget)).toMatchObject({ name: 'odd or spent' })
    expect(anyOf(odd, budget)).not.toHaveProperty('reason')
    expect(allOf(budget, spent({ tokens: 5 }))).toMatchObject({ name: 'spent and spent', reason: 'budget_exceeded' })
    const unknown = { ...turn(), usage: { ...noUsage, cost: 'unknown' as const } }
    expect(beginRule(allOf(odd, budget)).cannotTell?.(unknown)).toContain('limit of 1 USD cannot be applied')
  })

  it('end the streams of their rules', () => {
    let isOn = false
    const rule = stopRule('own', () => new Observable<boolean>(() => ((isOn = true), () => (isOn = false))))
    const own = beginRule(allOf(rule, anyOf(rule)))
    expect(isOn).toBe(true)
    own.end?.()
    expect(isOn).toBe(false)
  })
})
