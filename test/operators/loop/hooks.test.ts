// Tests that awaited hooks delay a turn, and that nothing else does (docs/loop.md#30).
import { NEVER, Observable, of, throwError, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { queues } from '../../../lib/operators/run/queues.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import type { Hooks } from '../../../lib/streams/ports/hooks.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import type { RunScene } from '../../../lib/testing/run-scene.ts'
import { virtualRun } from '../../../lib/testing/virtual-run.ts'
import type { VirtualRun } from '../../../lib/testing/virtual-run.ts'
import { faultsOfRun } from '../../support/laws.ts'

const script = [{ text: 'I look', toolCalls: [{ name: 'a' }] }, 'done']
const tools = [fakeTool('a', 'of a')]

function playWithHooks(hooks: Hooks, more: Partial<RunScene> = {}, inputs = queues()): VirtualRun {
  return virtualRun({ script, tools, ports: { hooks, queues: inputs }, ...more })
}
const findEnd = ({ events }: VirtualRun): AgentEvent | undefined => events.find(({ type }) => type === 'agent_end')

describe('beforeTurn and afterTurn', () => {
  it('delay the run until they have answered [LOOP-30d]', () => {
    const run = playWithHooks({ beforeTurn: () => timer(10), afterTurn: () => timer(5) })
    expect(run.timeline()).toBe(
      '0:AS,TS,ms(user),me(user) 10:ms(asst),mu,mu,mu,mu,mu,mu,me(asst),xs,xe,ms(result),me(result) ' +
        '15:TE,TS 25:ms(asst),mu,mu,mu,me(asst) 30:TE,AE,SET',
    )
  })

  it('receive the turn', () => {
    const received: unknown[] = []
    playWithHooks({
      beforeTurn: ({ turnIndex, messages }) => of(received.push([turnIndex, messages.map(({ role }) => role)])),
      afterTurn: ({ turnIndex, message, results }) =>
        of(received.push([turnIndex, message?.stopReason, results.map(({ toolName }) => toolName)])),
    })
    expect(received).toEqual([
      [0, ['user']],
      [0, 'toolUse', ['a']],
      [1, ['user', 'assistant', 'toolResult']],
      [1, 'stop', []],
    ])
  })

  it.each<[string, Hooks]>([
    ['with an empty stream', { beforeTurn: () => of(), afterTurn: () => of() }],
    ['with nothing', { beforeTurn: () => undefined, afterTurn: () => undefined }],
    ['with anything', { beforeTurn: () => 7, afterTurn: () => 'told' }],
  ])('may return %s', (_, hooks) => {
    expect(findEnd(playWithHooks(hooks))).toMatchObject({ totalTurns: 2, terminationReason: 'completed' })
  })

  it.each<[string, Hooks, number]>([
    ['beforeTurn throws', { beforeTurn: () => thrown() }, 0],
    ['beforeTurn fails', { beforeTurn: () => throwError(() => new Error('no')) }, 0],
    ['afterTurn throws', { afterTurn: () => thrown() }, 1],
  ])('end the run as an error if %s', (_, hooks, requests) => {
    const run = playWithHooks(hooks)
    const [name = ''] = Object.keys(hooks)
    expect(findEnd(run)).toMatchObject({
      terminationReason: 'error',
      error: { message: `The hook ${name} failed: no` },
    })
    expect(run.requests).toHaveLength(requests)
    expect(faultsOfRun(run.events)).toEqual([])
  })

  it('do not run before a turn without a request, and receive no message after it', () => {
    let calls = 0
    const emitted: unknown[] = []
    const inputs = queues([{ queueId: 'aaaaaaaa', queue: 'followUp', content: 'f' }])
    const scene: Partial<RunScene> = {
      script: ['done'],
      onEvent: (event) => {
        if (event.type === 'turn_start' && event.turnIndex === 1) inputs.clear('followUp')
      },
    }
    const hooks: Hooks = { beforeTurn: () => (calls += 1), afterTurn: (turn) => emitted.push('message' in turn) }
    const run = playWithHooks(hooks, scene, inputs)
    expect([calls, run.requests.length, faultsOfRun(run.events)]).toEqual([1, 1, []])
    expect([emitted, findEnd(run)]).toMatchObject([[true, false], { terminationReason: 'completed' }])
  })

  it('have a time limit of 30 s [LOOP-30d]', () => {
    const run = playWithHooks({ beforeTurn: () => NEVER })
    expect(run.timed.at(-1)?.at).toBe(30_000)
    expect(findEnd(run)).toMatchObject({ terminationReason: 'error', error: { code: 'timeout' } })
  })

  it.each<keyof Hooks>(['beforeTurn', 'afterTurn'])('do not delay a stop: %s', (name) => {
    const run = playWithHooks({ [name]: () => NEVER }, { at: { 7: (control) => control.stop() } })
    expect(run.timed.at(-1)?.at).toBe(7)
    expect(findEnd(run)).toMatchObject({ terminationReason: 'aborted' })
    expect(run.requests).toHaveLength(name === 'beforeTurn' ? 0 : 1)
    expect(faultsOfRun(run.events)).toEqual([])
  })

  it('are unsubscribed when the run is unsubscribed', () => {
    const emitted: string[] = []
    const hook$ = new Observable(() => {
      emitted.push('asked')
      return () => emitted.push('let go')
    })
    playWithHooks({ beforeTurn: () => hook$ }, { at: { 7: (control) => control.unsubscribe() } })
    expect(emitted).toEqual(['asked', 'let go'])
  })
})

function thrown(): never {
  throw new Error('no')
}
