// Tests the stop rule of a phase: what it counts, from when, and the tools that use_tool calls.
import { describe, expect, it } from 'vitest'
import { phaseStopRule } from '../../../lib/session/scenarios/phase-transitions.ts'
import type { FinishedTurn } from '../../../lib/streams/ports/hooks.ts'
import { scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import type { AssistantMessage, ToolCall } from '../../../lib/streams/messages/message.ts'
import type { ScenarioPhase } from '../../../lib/streams/ports/scenarios.ts'

const phase = (name: string, stop?: ScenarioPhase['stop']): ScenarioPhase => ({ name, transitions: [], ...(stop && { stop }) }) // prettier-ignore

function turn(turns: number, calls: readonly Omit<ToolCall, 'type' | 'id'>[] = []): FinishedTurn {
  const { id: model, provider, api } = scriptedModel
  const content = calls.map((call, index) => ({ type: 'toolCall' as const, id: `call_${index}`, ...call }))
  const message: AssistantMessage = { role: 'assistant', content, model, provider, api, usage: noUsage, stopReason: 'toolUse', timestamp: 0 } // prettier-ignore
  return { turns, usage: { ...noUsage, totalTokens: turns * 10 }, message, results: [], sameCalls: 0 }
}

describe('phaseStopRule', () => {
  it('counts from the beginning of the phase, and nothing outside of phases', () => {
    let now: ScenarioPhase | undefined
    const rule = phaseStopRule(() => now)
    expect([1, 2].map((turns) => rule.matches(turn(turns)))).toEqual([false, false])
    now = phase('a', { turns: 2 })
    expect([3, 4].map((turns) => rule.matches(turn(turns)))).toEqual([false, true])
    now = phase('b', { tokens: 20 })
    expect([5, 6].map((turns) => rule.matches(turn(turns)))).toEqual([false, true])
  })

  it('ends after a call of a tool, also through use_tool', () => {
    const rule = phaseStopRule(() => phase('a', { tools: ['look'] }))
    expect(rule.matches(turn(1, [{ name: 'other', arguments: {} }]))).toBe(false)
    expect(rule.matches(turn(2, [{ name: 'look', arguments: {} }]))).toBe(true)
    expect(rule.matches(turn(3, [{ name: 'use_tool', arguments: { name: 'look', arguments: {} } }]))).toBe(true)
  })
})
