// Tests the default limits: how each ends a run, and at which virtual time (docs/loop.md#26).
import { NEVER, concat, of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { ScriptedReply } from '../../lib/providers/offline/scripted.ts'
import { scriptedModel } from '../../lib/providers/offline/scripted.ts'
import type { AssistantDelta } from '../../lib/streams/messages/delta.ts'
import type { EventNamed } from '../../lib/streams/events/event.ts'
import type { RunLimits } from '../../lib/streams/config/settings.ts'
import { fakeTool } from '../../lib/testing/fake-tool.ts'
import { faultsOfRun } from '../support/laws.ts'
import { playSession } from '../support/virtual-session.ts'
import type { PlayedSession, SessionScene } from '../support/virtual-session.ts'

const minute = 60_000
const hour = 60 * minute
const local = { ...scriptedModel, local: true }
const silent: ScriptedReply = { end: 'never' }
const beginning: AssistantDelta[] = [
  { type: 'text_start', contentIndex: 0 },
  { type: 'text_delta', contentIndex: 0, text: 'so far' },
]
/** Emits some deltas at once, and then nothing more. */
const stalling: ScriptedReply = { deltas$: concat(of(...beginning), NEVER) }
const calling = { toolCalls: [{ name: 'look' }], usage: { input: 800, output: 200 } }
const hanging = fakeTool('look', NEVER)

/** Returns the end of the run; fails if anything is still scheduled or law 5 is broken. */
function endOf(scene: SessionScene): EventNamed<'agent_end'> {
  const played: PlayedSession = playSession({ prompt: 'Hi', ...scene })
  expect(faultsOfRun(played.events)).toEqual([])
  expect(played.now()).toBe(played.records.at(-1)?.at)
  const end = played.events.find((event) => event.type === 'agent_end')
  if (end === undefined) throw new Error('the run has no end')
  return end
}

describe('limits in time [LOOP-26c, LOOP-26d]', () => {
  it.each<[string, SessionScene, object]>([
    [
      'idle: three attempts of 120 s without a token, 1 s and 2 s apart',
      { script: () => silent },
      { terminationReason: 'idle_timeout', durationMs: 3 * 2 * minute + 3_000 },
    ],
    [
      'idle: a local endpoint’s first token may take 600 s',
      { script: () => silent, model: local },
      { terminationReason: 'idle_timeout', durationMs: 3 * 10 * minute + 3_000 },
    ],
    [
      'idle: 120 s after the first token, also of a local endpoint',
      { script: [stalling], model: local },
      { terminationReason: 'idle_timeout', durationMs: 2 * minute },
    ],
    [
      'idle: a first token just in time is one',
      { script: [{ text: 'x', delayMs: 10 * minute - 1 }], model: local },
      { terminationReason: 'completed', durationMs: 10 * minute - 1 },
    ],
    [
      'wall clock: 48 h, whatever the run does',
      { script: () => calling, tools: [{ ...hanging, timeoutMs: 0 }] },
      { terminationReason: 'wall_clock_timeout', durationMs: 48 * hour, totalTurns: 1 },
    ],
    [
      "wall clock: of the session's limits",
      { script: [silent], options: { limits: { wallClockMs: minute, idleMs: 0 } } },
      { terminationReason: 'wall_clock_timeout', durationMs: minute },
    ],
    [
      'a tool: 120 s, and the run continues [LOOP-15a]',
      { script: [calling, 'done'], tools: [hanging] },
      { terminationReason: 'completed', durationMs: 2 * minute, totalTurns: 2 },
    ],
    [
      'a tool: a limit of its own [LOOP-15a]',
      { script: [calling, 'done'], tools: [{ ...hanging, timeoutMs: hour }] },
      { terminationReason: 'completed', durationMs: hour, totalTurns: 2 },
    ],
  ])('%s', (_, scene, end) => {
    expect(endOf(scene)).toMatchObject(end)
  })
})

describe('budgets', () => {
  const priced = { ...scriptedModel, prices: { input: 1_000, output: 1_000, cacheRead: 0, cacheWrite: 0 } }
  const { prices: _, ...unpriced } = scriptedModel

  it.each<[string, RunLimits, object]>([
    ['turns', { turns: 3 }, { terminationReason: 'stopped', stopRule: 'maxTurns', totalTurns: 3 }],
    ['tokens', { tokens: 2_500 }, { terminationReason: 'budget_exceeded', stopRule: 'spent', totalTurns: 3 }],
    ['USD', { usd: 3.5 }, { terminationReason: 'budget_exceeded', stopRule: 'spent', totalTurns: 4 }],
    ['the first that is met', { usd: 9, tokens: 1_001, turns: 5 }, { stopRule: 'spent', totalTurns: 2 }],
  ])('%s: end the run after the turn that reaches them [LOOP-26h, LOOP-27b, CLI-limits]', (__, limits, end) => {
    const scene = { script: () => calling, tools: [fakeTool('look', 'x')], model: priced }
    expect(endOf({ ...scene, options: { limits } })).toMatchObject(end)
  })

  it('in USD are not reached if the price is unknown', () => {
    const scene = { script: [calling, calling, 'done'], tools: [fakeTool('look', 'x')], model: unpriced }
    expect(endOf({ ...scene, options: { limits: { usd: 0.000_001 } } })).toMatchObject({
      terminationReason: 'completed',
    })
  })
})
