// Tests the hook `runEnd`: a run that would end goes on with its text as a follow-up.
import { NEVER, ignoreElements, map, of, throwError, timer } from 'rxjs'
import { expect, it } from 'vitest'
import { maxContinuations } from '../../../lib/operators/run/ask-at-end.ts'
import { queues } from '../../../lib/operators/run/queues.ts'
import type { Hooks } from '../../../lib/streams/ports/hooks.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import type { RunScene } from '../../../lib/testing/run-scene.ts'
import { providerFailure } from '../loop/ends-scene.ts'
import { virtualRun } from '../../../lib/testing/virtual-run.ts'
import type { VirtualRun } from '../../../lib/testing/virtual-run.ts'
import { faultsOfRun } from '../../support/laws.ts'

function play(hooks: Hooks, more: Partial<RunScene> = {}): VirtualRun {
  return virtualRun({ script: ['one', 'two', 'three'], ports: { hooks, queues: queues() }, ...more })
}
const endOf = ({ events }: VirtualRun) => events.find(({ type }) => type === 'agent_end')
const textsOf = ({ events }: VirtualRun) =>
  events.flatMap((event) =>
    event.type === 'message_end' && event.message.role === 'user' ? [event.message.content] : [],
  )

it('goes on while the hook says so, each time with the last answer', () => {
  const received: unknown[] = []
  const run = play({
    runEnd: ({ message, continued }) => {
      received.push([continued, message?.content])
      return timer(10).pipe(map(() => (continued < 2 ? { continueWith: `again ${continued}` } : undefined)))
    },
  })
  expect(received).toEqual(['one', 'two', 'three'].map((text, index) => [index, [{ type: 'text', text }]]))
  expect(textsOf(run).slice(1)).toEqual(['again 0', 'again 1'])
  expect(endOf(run)).toMatchObject({ totalTurns: 3, terminationReason: 'completed', durationMs: 30 })
  expect(faultsOfRun(run.events)).toEqual([])
})

it('is asked again after a turn of an input that came while it was asked', () => {
  const received: unknown[] = []
  const hooks: Hooks = {
    runEnd: ({ message }) => {
      received.push(message?.content)
      return timer(10).pipe(ignoreElements())
    },
  }
  const run = play(hooks, { at: { 5: ({ followUp }) => followUp('Late') } })
  expect(received).toEqual(['one', 'two'].map((text) => [{ type: 'text', text }]))
  expect(endOf(run)).toMatchObject({ totalTurns: 2, terminationReason: 'completed' })
})

it('ends the run if the hook has nothing to say', () => {
  for (const runEnd of [() => undefined, () => of(), () => ({})])
    expect(endOf(play({ runEnd }))).toMatchObject({ totalTurns: 1, terminationReason: 'completed' })
})

it('lets a run go on twenty times at most', () => {
  const script = Array.from({ length: maxContinuations + 5 }, () => 'more')
  const run = play({ runEnd: () => ({ continueWith: 'more' }) }, { script })
  expect(endOf(run)).toMatchObject({ totalTurns: maxContinuations + 1, terminationReason: 'completed' })
})

it('is not asked about a run that stops, fails or is ended by a tool', () => {
  const names: string[] = []
  const hooks = (name: string): Hooks => ({
    runEnd: () => {
      names.push(name)
      return undefined
    },
  })
  play(hooks('stopped'), { script: [{ deltas$: NEVER }], at: { 5: ({ stop }) => stop('aborted') } })
  play(hooks('failed'), { script: [providerFailure('auth')] })
  const ends = fakeTool('a', of({ ...textResult('end'), terminate: true }))
  play(hooks('ended by a tool'), { script: [{ toolCalls: [{ name: 'a' }] }], tools: [ends] })
  expect(names).toEqual([])
})

it('ends the run as an error if the hook fails, and at once at a stop', () => {
  const failed = play({ runEnd: () => throwError(() => new Error('no')) })
  expect(endOf(failed)).toMatchObject({ terminationReason: 'error', error: { message: 'The hook runEnd failed: no' } })
  const stopped = play({ runEnd: () => NEVER }, { at: { 50: ({ stop }) => stop('aborted') } })
  expect(endOf(stopped)).toMatchObject({ terminationReason: 'aborted', durationMs: 50 })
})
