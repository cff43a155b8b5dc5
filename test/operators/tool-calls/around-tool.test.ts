// Tests the hook around a tool, and a scheduler of the program's own.
import { EMPTY, NEVER, concatMap, from, map, of, retry, throwError, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { CallScheduler } from '../../../lib/operators/ports/call-scheduler.ts'
import { executeCall } from '../../../lib/operators/tool-calls/execute-call.ts'
import type { Hooks } from '../../../lib/streams/ports/hooks.ts'
import { createStopSwitch } from '../../../lib/streams/rx/stop-switch.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { virtualRun } from '../../../lib/testing/virtual-run.ts'
import { playCall, ports, ready } from './execute-call-scene.ts'

describe('hooks.aroundTool', () => {
  it.each<[string, NonNullable<Hooks['aroundTool']>, string]>([
    ['passes the stream on', (output$) => output$, '1:p 3:=r,|'],
    [
      'changes progress and result',
      (output$) => output$.pipe(map((v) => (v.type === 'result' ? textResult('s') : v))),
      '1:p 3:=s,|',
    ],
    ['replaces the tool', () => of(textResult('cached')), '0:=cached,|'],
    ['fails', () => throwError(() => new Error('no')), '0:!no,|'],
    [
      'throws',
      () => {
        throw new Error('thrown')
      },
      '0:!thrown,|',
    ],
    ['ends without a result', () => EMPTY, '0:!slow ended without a result.,|'],
  ])('%s', (_, aroundTool, shows) => {
    expect(playCall('marble -p-r', { ports: ports({ aroundTool }) })).toBe(shows)
  })

  it('gets the call, and subscribes to the tool as often as it does', () => {
    const names: string[] = []
    let attempts = 0
    const failing = (): never => {
      attempts += 1
      throw new Error('no')
    }
    const aroundTool$: Hooks['aroundTool'] = (output$, { call, tool, args }) => {
      names.push(`${call.name} ${tool.name} ${JSON.stringify(args)}`)
      return output$.pipe(retry(2))
    }
    const values: unknown[] = []
    executeCall(ready(failing), ports({ aroundTool: aroundTool$ }), createStopSwitch()).subscribe((event) =>
      values.push(event),
    )
    expect([attempts, names, values.length]).toEqual([3, ['slow slow {"a":1}'], 1])
  })

  it('is within the time limit', () => {
    expect(playCall('marble r', { tool: { timeoutMs: 5 }, ports: ports({ aroundTool: () => NEVER }) })).toMatch(
      /^5:!slow took/,
    )
  })
})

describe('a scheduler of one’s own', () => {
  const batch = {
    script: [{ toolCalls: ['x', 'y', 'z'].map((id) => ({ name: id, id })) }, 'done'],
    tools: ['x', 'y', 'z'].map((name) => fakeTool(name, timer(10).pipe(map(() => textResult(name))))),
  }
  const results = (scheduleCalls: CallScheduler) => {
    const { events, idleAt } = virtualRun({ ...batch, ports: { scheduleCalls } })
    const texts = events.flatMap((event) =>
      event.type === 'tool_execution_end'
        ? event.content.map((block) => (block.type === 'text' ? block.text : ''))
        : [],
    )
    return { texts, idleAt, last: events.at(-1)?.type }
  }

  it('decides when each call runs', () => {
    const oneByOne$: CallScheduler = (calls, { execute }) => from(calls.toReversed()).pipe(concatMap(execute))
    expect(results(oneByOne$)).toEqual({ texts: ['z', 'y', 'x'], idleAt: 30, last: 'agent_settled' })
  })

  it.each<[string, CallScheduler, string[]]>([
    [
      'leaves calls out',
      (calls, { execute }) => from(calls.slice(0, 1)).pipe(concatMap(execute)),
      [
        'x',
        'y was not run: the scheduler of this session left it out.',
        'z was not run: the scheduler of this session left it out.',
      ],
    ],
    [
      'fails',
      () => throwError(() => new Error('no')),
      ['x', 'y', 'z'].map((id) => `${id} was not run to its end: the scheduler of this session failed: no`),
    ],
    [
      'throws',
      () => {
        throw new Error('no')
      },
      ['x', 'y', 'z'].map((id) => `${id} was not run to its end: the scheduler of this session failed: no`),
    ],
  ])('%s: each call has its end', (_, scheduler, texts) => {
    expect(results(scheduler)).toMatchObject({ texts, last: 'agent_settled' })
  })

  it('that never completes ends with the grace time after a stop', () => {
    const played = virtualRun({
      ...batch,
      ports: { scheduleCalls: () => NEVER, graceMs: 50 },
      at: { 5: (control) => control.stop() },
    })
    expect([played.events.at(-1)?.type, played.idleAt]).toEqual(['agent_settled', 55])
    expect(played.events.filter(({ type }) => type === 'tool_execution_end')).toHaveLength(3)
  })
})
