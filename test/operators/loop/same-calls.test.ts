// Tests the repeat guard, which warns a model or stops the run (docs/loop.md#27).
import { describe, expect, it } from 'vitest'
import { sameCallRepeated } from '../../../lib/operators/run/stop-when.ts'
import type { ScriptedReply } from '../../../lib/providers/offline/scripted.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { virtualRun } from '../../../lib/testing/virtual-run.ts'
import type { VirtualRun } from '../../../lib/testing/virtual-run.ts'

const read = (path: string): ScriptedReply => ({ toolCalls: [{ name: 'read', arguments: { path } }] })
const tools = [fakeTool('read', 'text'), fakeTool('look', 'text')]

const warnings = ({ events }: VirtualRun): AgentEvent[] => events.filter(({ type }) => type === 'warning')
const findEnd = ({ events }: VirtualRun): AgentEvent | undefined => events.find(({ type }) => type === 'agent_end')

describe('sameCallRepeated', () => {
  it('ends a run whose model repeats the same call [LOOP-27a, LOOP-27b]', () => {
    const played = virtualRun({
      script: [read('a'), read('a'), read('a'), 'never asked'],
      tools,
      ports: { stopWhen: [sameCallRepeated(3)] },
    })
    expect(findEnd(played)).toMatchObject({ terminationReason: 'stopped', stopRule: 'sameCallRepeated', totalTurns: 3 })
    expect(played.requests).toHaveLength(3)
  })

  it.each<[string, ScriptedReply[]]>([
    ['other arguments', [read('a'), read('a'), read('b'), read('a'), 'done']],
    ['another tool between', [read('a'), read('a'), { toolCalls: [{ name: 'look' }] }, read('a'), 'done']],
  ])('starts a new count after %s', (_, script) => {
    const played = virtualRun({ script, tools, ports: { stopWhen: [sameCallRepeated(3)] } })
    expect(findEnd(played)).toMatchObject({ terminationReason: 'completed' })
    expect(warnings(played)).toEqual([])
  })

  it('counts the calls of one batch too, whatever the order of their keys', () => {
    const call = (args: Record<string, unknown>) => ({ name: 'read', arguments: args })
    const batch = {
      toolCalls: [call({ path: 'a', limit: 1 }), call({ limit: 1, path: 'a' }), call({ path: 'a', limit: 1 })],
    }
    const played = virtualRun({ script: [batch, 'never'], tools, ports: { stopWhen: [sameCallRepeated(3)] } })
    expect(findEnd(played)).toMatchObject({ stopRule: 'sameCallRepeated', totalTurns: 1 })
  })
})

describe('three identical calls in a row', () => {
  it('emit one warning for each row, and do not end the run', () => {
    const played = virtualRun({
      script: [...Array.from({ length: 5 }, () => read('a')), read('b'), read('b'), read('b'), 'done'],
      tools,
    })
    expect(warnings(played)).toMatchObject([
      { code: 'same_call_repeated', context: { toolName: 'read', times: 3 }, recoverable: true },
      { code: 'same_call_repeated' },
    ])
    expect(findEnd(played)).toMatchObject({ terminationReason: 'completed', totalTurns: 9 })
  })

  it('emit a warning for each row in one batch', () => {
    const calls = ['read', 'read', 'read', 'look', 'look', 'look'].map((name) => ({ name }))
    const played = virtualRun({ script: [{ toolCalls: calls }, 'done'], tools })
    expect(warnings(played)).toMatchObject([{ context: { toolName: 'read' } }, { context: { toolName: 'look' } }])
  })

  it('emit a warning also with text before each call', () => {
    const talking = { text: 'Once more', toolCalls: [{ name: 'read', arguments: { path: 'a' } }] }
    expect(warnings(virtualRun({ script: [talking, talking, talking, 'done'], tools }))).toHaveLength(1)
  })

  it('emit the warning after turn_end, before the next turn', () => {
    const played = virtualRun({ script: [read('a'), read('a'), read('a'), 'done'], tools })
    expect(played.notation()).toMatch(/TE warning TS ms\(asst\) mu me\(asst\) TE AE SET$/)
  })

  it('are compared as text if they are not JSON', () => {
    const broken = (text: string): ScriptedReply => ({ toolCalls: [{ name: 'read', arguments: text }] })
    expect(warnings(virtualRun({ script: [broken('{"a'), broken('{"b'), broken('{"c'), 'x'], tools }))).toEqual([])
    expect(warnings(virtualRun({ script: [broken('{"a'), broken('{"a'), broken('{"a'), 'x'], tools }))).toHaveLength(1)
  })
})
