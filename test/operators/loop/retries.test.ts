// Tests how often and for how long a run retries a failed request (docs/loop.md#ends).
import { NEVER, concat, ignoreElements, map, of, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { virtualRun } from '../../../lib/testing/virtual-run.ts'
import { endOf, lastAnswer, providerFailure, text, textStart, calling } from './ends-scene.ts'

describe('retries', () => {
  it('emit an event each before anything is visible, and end in one message [LOOP-28c, LOOP-28f, PORT-first_delta]', () => {
    const played = virtualRun({ script: [providerFailure('overloaded'), providerFailure('network'), 'at last'] })
    expect(played.notation()).toBe('AS TS ms(user) me(user) auto_retry auto_retry ms(asst) mu me(asst) TE AE SET')
    expect([played.requests.length, endOf(played).terminationReason]).toEqual([3, 'completed'])
    const retries = played.events.filter((event) => event.type === 'auto_retry')
    expect(retries).toMatchObject([
      { attempt: 2, delayMs: 1_000, kind: 'overloaded' },
      { attempt: 3, delayMs: 2_000, kind: 'network' },
    ])
  })

  it('leave no message of an attempt that had only started [PORT-first_delta]', () => {
    const played = virtualRun({ script: [{ error: { kind: 'network' } }, 'at last'] })
    expect(played.notation()).toBe('AS TS ms(user) me(user) auto_retry ms(asst) mu me(asst) TE AE SET')
  })

  it('end as an error when all attempts failed', () => {
    const played = virtualRun({
      script: [providerFailure('network'), providerFailure('network'), providerFailure('network'), 'never'],
    })
    expect([played.requests.length, endOf(played).terminationReason]).toEqual([3, 'error'])
  })

  it('are not made for a refused key or a bad request [LOOP-28h]', () => {
    for (const kind of ['auth', 'bad_request'] as const) {
      expect(virtualRun({ script: [providerFailure(kind), 'never'] }).requests).toHaveLength(1)
    }
  })

  it('restart the idle limit: waits and tools do not count [LOOP-28a]', () => {
    const limited = { idle: { first: 5_000, each: 5_000 }, retry: { baseDelayMs: 30_000, jitter: () => 0 } }
    const retried = virtualRun({ script: [providerFailure('network'), { text: 'x', delayMs: 4_000 }], ports: limited })
    expect(endOf(retried)).toMatchObject({ terminationReason: 'completed', durationMs: 34_000 })
    const working = virtualRun({
      script: [calling, 'done'],
      tools: [fakeTool('a', timer(60_000).pipe(map(() => textResult('x'))))],
      ports: limited,
    })
    expect(endOf(working)).toMatchObject({ terminationReason: 'completed', durationMs: 60_000 })
  })

  it('have a separate limit for the first token', () => {
    const local = { idle: { first: 600_000, each: 120_000 } }
    const slow = virtualRun({ script: [{ text: 'x', delayMs: 599_000 }], ports: local })
    expect(endOf(slow).terminationReason).toBe('completed')
    const loading$ = concat(
      of<AssistantDelta[]>({ type: 'start' }, { type: 'usage', usage: noUsage }),
      timer(599_000).pipe(ignoreElements()),
      of<AssistantDelta[]>(textStart, text('x')),
      NEVER,
    )
    const loading = virtualRun({ script: [{ deltas$: loading$ }], ports: local })
    expect(endOf(loading)).toMatchObject({ terminationReason: 'idle_timeout', durationMs: 719_000 })
    expect(lastAnswer(loading)?.content).toMatchObject([{ text: 'x' }])
  })

  it('are made for an answer that ended before anything was visible', () => {
    const played = virtualRun({ script: [{ end: 'early' }, 'at last'] })
    expect(played.notation()).toBe('AS TS ms(user) me(user) auto_retry ms(asst) mu me(asst) TE AE SET')
  })

  it('are not made if a provider stays open after its answer is done', () => {
    const done: AssistantDelta = { type: 'done', stopReason: 'stop', usage: noUsage }
    const played = virtualRun({ script: [{ deltas$: concat(of(textStart, text('x'), done), NEVER) }] })
    expect(endOf(played)).toMatchObject({ terminationReason: 'completed', durationMs: 0 })
  })

  it('stop at an abort', () => {
    const played = virtualRun({
      script: [providerFailure('network'), 'never'],
      at: { 500: (control) => control.stop() },
    })
    expect(played.requests).toHaveLength(1)
    expect(played.timeline()).toBe('0:AS,TS,ms(user),me(user),auto_retry 500:TE,AE,SET')
  })
})
