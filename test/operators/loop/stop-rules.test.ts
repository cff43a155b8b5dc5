// Tests the rules that stop a run before it is done (docs/loop.md#ends).
import { map, of, scan } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { allOf, anyOf, stopRule, toolFailed } from '../../../lib/operators/run/own-stop-rules.ts'
import type { StopRule } from '../../../lib/streams/ports/hooks.ts'
import { errorResult } from '../../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { calledTool, maxTurns, spent } from '../../../lib/operators/run/stop-when.ts'
import { queues } from '../../../lib/operators/run/queues.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import { virtualRun } from '../../../lib/testing/virtual-run.ts'
import { endOf, tool, calling } from './ends-scene.ts'

describe('stop rules', () => {
  const endless = { script: () => ({ ...calling, usage: { output: 10 } }), tools: [tool('a')] }

  it('maxTurns ends the run as stopped, and agent_end names it [LOOP-26b, LOOP-27a, LOOP-27b]', () => {
    const played = virtualRun({ ...endless, ports: { stopWhen: [maxTurns(3)] } })
    expect(endOf(played)).toMatchObject({ terminationReason: 'stopped', stopRule: 'maxTurns', totalTurns: 3 })
    expect(played.requests).toHaveLength(3)
  })

  it('spent ends the run as budget_exceeded [LOOP-26b, LOOP-27a, LOOP-27b]', () => {
    const played = virtualRun({ ...endless, ports: { stopWhen: [spent({ tokens: 25 })] } })
    expect(endOf(played)).toMatchObject({ terminationReason: 'budget_exceeded', stopRule: 'spent', totalTurns: 3 })
    const exactly = virtualRun({ ...endless, ports: { stopWhen: [spent({ tokens: 30 })] } })
    expect(endOf(exactly)).toMatchObject({ stopRule: 'spent', totalTurns: 3 })
  })

  it('spent warns once that it cannot count the cost of a model without prices', () => {
    const unknown: AssistantDelta = { type: 'done', stopReason: 'toolUse', usage: { ...noUsage, cost: 'unknown' } }
    const call: AssistantDelta[] = [
      { type: 'toolcall_start', contentIndex: 0, id: 'c', name: 'a' },
      { type: 'toolcall_end', contentIndex: 0, arguments: {} },
    ]
    const played = virtualRun({
      script: () => ({ deltas$: of(...call, unknown) }),
      tools: [tool('a')],
      ports: { stopWhen: [spent({ usd: 2 }), maxTurns(3)] },
    })
    const warnings = played.events.flatMap((event) =>
      event.type === 'warning' ? [[event.code, event.context, event.message] as const] : [],
    )
    expect(warnings[0]?.slice(0, 2)).toEqual(['stop_rule_blind', { stopRule: 'spent' }])
    expect(warnings[0]?.[2]).toMatch(/^The cost of .* is unknown, so the limit of 2 USD cannot be applied/)
    expect(warnings.filter(([code]) => code === 'stop_rule_blind')).toHaveLength(1)
    expect(endOf(played)).toMatchObject({ stopRule: 'maxTurns', usage: { cost: 'unknown' } })
  })

  it('a throw of cannotTell becomes a warning, and does not end the run', () => {
    const faulty = {
      name: 'faulty',
      matches: () => false,
      cannotTell: () => {
        throw new Error('the meter is gone')
      },
    }
    const played = virtualRun({ script: ['x'], ports: { stopWhen: [faulty] } })
    expect(played.events).toContainEqual(
      expect.objectContaining({
        type: 'warning',
        message: 'The stop rule faulty may not end this run: the meter is gone',
      }),
    )
    expect(endOf(played).terminationReason).toBe('completed')
  })

  it('a rule of a stream, toolFailed and their combinations count anew in each run', () => {
    const failing = [fakeTool('a', of(errorResult('no')))]
    const third = stopRule('third', (turn$) =>
      turn$.pipe(
        scan((count) => count + 1, 0),
        map((count) => count >= 3),
      ),
    )
    const stopWhen = [allOf(third, toolFailed(4)), anyOf(third, maxTurns(9))]
    const rows: [StopRule[], number, string][] = [
      [[third], 3, 'third'],
      [[third], 3, 'third'],
      [[toolFailed(4)], 4, 'toolFailed'],
      [[allOf(third, toolFailed(2))], 3, 'third and toolFailed'],
      [[anyOf(maxTurns(5), toolFailed(2))], 2, 'maxTurns or toolFailed'],
      [stopWhen, 3, 'third or maxTurns'],
    ]
    for (const [rules, totalTurns, name] of rows) {
      const played = virtualRun({ ...endless, tools: failing, ports: { stopWhen: rules } })
      expect(endOf(played)).toMatchObject({ terminationReason: 'stopped', stopRule: name, totalTurns })
    }
  })

  it('calledTool ends the run after the tool has run [LOOP-27a, LOOP-27b]', () => {
    const played = virtualRun({ ...endless, ports: { stopWhen: [calledTool('a')] } })
    expect(endOf(played)).toMatchObject({ terminationReason: 'stopped', stopRule: 'calledTool', totalTurns: 1 })
    expect(played.messages.at(-1)).toMatchObject({ role: 'toolResult', isError: false })
    const other = virtualRun({ ...endless, ports: { stopWhen: [calledTool('b'), maxTurns(2)] } })
    expect(endOf(other)).toMatchObject({ stopRule: 'maxTurns', totalTurns: 2 })
  })

  it('a custom rule receives the finished turn [LOOP-27a]', () => {
    const calls: unknown[] = []
    const own = {
      name: 'own',
      matches: (turn: object) => {
        calls.push(turn)
        return calls.length === 2
      },
    }
    const played = virtualRun({ ...endless, ports: { stopWhen: [own] } })
    expect(endOf(played)).toMatchObject({ stopRule: 'own', totalTurns: 2 })
    expect(calls[1]).toMatchObject({
      turns: 2,
      usage: { output: 20 },
      message: { role: 'assistant' },
      results: [{ role: 'toolResult', toolCallId: 'call_2_1' }],
    })
  })

  it('the first rule that matches is named', () => {
    const played = virtualRun({ ...endless, ports: { stopWhen: [maxTurns(9), calledTool('a'), maxTurns(1)] } })
    expect(endOf(played).stopRule).toBe('calledTool')
  })

  it('are not applied to a turn that ends the run anyway', () => {
    const played = virtualRun({ script: ['x'], ports: { stopWhen: [maxTurns(1)] } })
    expect(endOf(played)).toMatchObject({ terminationReason: 'completed' })
    expect(endOf(played)).not.toHaveProperty('stopRule')
  })

  it('end a run that only queued input would extend; the input stays queued', () => {
    const waiting = queues([{ queueId: 'q', queue: 'followUp', content: 'f' }])
    const played = virtualRun({ script: ['x', 'y'], ports: { stopWhen: [maxTurns(1)], queues: waiting } })
    expect([endOf(played).stopRule, waiting.size('followUp')]).toEqual(['maxTurns', 1])
  })

  it('a throw of a rule ends the run as an error that names the rule', () => {
    const broken = {
      name: 'broken',
      matches: (): boolean => {
        throw new Error('cannot tell')
      },
    }
    const played = virtualRun({ ...endless, ports: { stopWhen: [broken] } })
    expect(endOf(played)).toMatchObject({ terminationReason: 'error', totalTurns: 1 })
    expect(endOf(played).error?.message).toMatch(/broken.*cannot tell/)
  })
})
