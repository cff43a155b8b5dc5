// Tests how a run ends and which reason it reports (docs/loop.md#ends).
import { NEVER, concat, map, of, throwError, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { virtualRun } from '../../../lib/testing/virtual-run.ts'
import { endOf, lastAnswer, providerFailure, text, textStart, tool, calling } from './ends-scene.ts'

describe('a provider that fails', () => {
  it('before the message: the message starts and ends as an error, and so does the run [LOOP-23a, LOOP-26b, EVENT-message]', () => {
    const played = virtualRun({ script: [providerFailure('auth')] })
    expect(played.notation()).toBe('AS TS ms(user) me(user) ms(asst) me(asst) TE AE SET')
    expect(lastAnswer(played)).toMatchObject({ stopReason: 'error', errorMessage: 'it was auth', content: [] })
    expect(endOf(played)).toMatchObject({
      terminationReason: 'error',
      totalTurns: 1,
      error: { code: 'provider_error', message: 'it was auth', data: { kind: 'auth' } },
    })
  })

  it('during the message: the content so far is kept [LOOP-23b]', () => {
    const played = virtualRun({
      script: [
        {
          deltas$: concat(
            of(textStart, text('so far')),
            throwError(() => providerFailure('network')),
          ),
        },
      ],
    })
    expect(played.notation()).toBe('AS TS ms(user) me(user) ms(asst) mu me(asst) TE AE SET')
    expect(lastAnswer(played)).toMatchObject({ stopReason: 'error', content: [{ text: 'so far' }] })
  })

  it('during a tool call: the call is not run and gets a result', () => {
    const cut: AssistantDelta[] = [
      { type: 'toolcall_start', contentIndex: 0, id: 'c', name: 'a' },
      { type: 'toolcall_delta', contentIndex: 0, text: '{"x"' },
    ]
    const never = fakeTool('a', 'never')
    const played = virtualRun({
      script: [
        {
          deltas$: concat(
            of(...cut),
            throwError(() => providerFailure('network')),
          ),
        },
      ],
      tools: [never],
    })
    expect(played.notation()).toBe('AS TS ms(user) me(user) ms(asst) mu me(asst) xs xe ms(result) me(result) TE AE SET')
    expect([never.calls, endOf(played).terminationReason]).toEqual([[], 'error'])
    expect(played.messages.at(-1)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('ended in an error before') as string }],
    })
  })

  it('by a throw, or with an error that is not a Failure [LOOP-23d]', () => {
    for (const script of [
      () => {
        throw new TypeError('a fault')
      },
      [{ deltas$: throwError(() => new TypeError('a fault')) }],
    ]) {
      const end = endOf(virtualRun({ script }))
      expect(end).toMatchObject({ terminationReason: 'error', error: { message: 'a fault' } })
    }
  })

  it('by its own stop reason', () => {
    const done: AssistantDelta = { type: 'done', stopReason: 'error', usage: noUsage }
    const played = virtualRun({ script: [[textStart, text('x'), done]] })
    expect([endOf(played).terminationReason, lastAnswer(played)?.stopReason]).toEqual(['error', 'error'])
  })

  it('in a later turn', () => {
    const played = virtualRun({ script: [calling, providerFailure('auth')], tools: [tool('a')] })
    expect(endOf(played)).toMatchObject({ terminationReason: 'error', totalTurns: 2 })
  })
})

describe('agent_end', () => {
  it('has the number of turns, the duration and the usage [LOOP-26a, EVENT-agent_end]', () => {
    const played = virtualRun(({ cold }) => ({
      script: [
        { ...calling, usage: { input: 10 } },
        { text: 'x', delayMs: 20, usage: { input: 5, output: 1 } },
      ],
      tools: [fakeTool('a', cold('-----r', { r: textResult('x') }))],
    }))
    expect(endOf(played)).toMatchObject({
      totalTurns: 2,
      durationMs: 25,
      usage: { input: 15, output: 1, totalTokens: 16 },
      terminationReason: 'completed',
    })
  })

  it.each([
    ['aborted', 'aborted'],
    ['server_shutdown', 'server_shutdown'],
    ['client_disconnected', 'client_disconnected'],
  ] as const)('has the reason %s if the run was stopped with it [LOOP-26b]', (reason, emitted) => {
    const played = virtualRun({ script: [{ end: 'never' }], at: { 5: (control) => control.stop(reason) } })
    expect(endOf(played)).toMatchObject({ terminationReason: emitted, totalTurns: 1 })
  })

  it('has the reason of the stop, not that of the last turn [LOOP-26b]', () => {
    const played = virtualRun({
      script: [calling],
      tools: [fakeTool('a', of(textResult('x', { terminate: true })))],
      onEvent: (event, control) => {
        if (event.type === 'tool_execution_end') control.stop()
      },
    })
    expect(endOf(played).terminationReason).toBe('aborted')
  })

  it('has idle_timeout if every attempt was silent for two minutes [LOOP-26c, LOOP-27c]', () => {
    const script = [{ end: 'never' }, { end: 'never' }, { end: 'never' }] as const
    const played = virtualRun({ script, ports: { idle: { first: 120_000, each: 120_000 } } })
    expect(played.events.filter(({ type }) => type === 'auto_retry')).toHaveLength(2)
    expect(endOf(played)).toMatchObject({
      terminationReason: 'idle_timeout',
      error: { data: { kind: 'stall' } },
      durationMs: 363_000,
    })
  })

  it('has idle_timeout if the provider sends only start and usage', () => {
    const alive$ = timer(0, 30_000).pipe(
      map((tick): AssistantDelta => (tick === 0 ? { type: 'start' } : { type: 'usage', usage: noUsage })),
    )
    const played = virtualRun({
      script: [{ deltas$: alive$ }, { deltas$: alive$ }, { deltas$: alive$ }],
      ports: { idle: { first: 120_000, each: 120_000 } },
    })
    expect(endOf(played)).toMatchObject({ terminationReason: 'idle_timeout', durationMs: 363_000 })
    expect(played.notation()).toBe('AS TS ms(user) me(user) auto_retry auto_retry ms(asst) me(asst) TE AE SET')
  })

  it('has idle_timeout without a retry if something was visible [LOOP-27c]', () => {
    const played = virtualRun({
      script: [{ deltas$: concat(of(textStart, text('so far')), NEVER) }],
      ports: { idle: { first: 120_000, each: 120_000 } },
    })
    expect(endOf(played)).toMatchObject({ terminationReason: 'idle_timeout', durationMs: 120_000 })
    expect(lastAnswer(played)).toMatchObject({ content: [{ text: 'so far' }], stopReason: 'error' })
  })

  it('has wall_clock_timeout if the run takes too long [LOOP-26d]', () => {
    const day = 86_400_000
    const asking = virtualRun({ script: [{ end: 'never' }], ports: { wallClockMs: 2 * day } })
    expect(endOf(asking)).toMatchObject({ terminationReason: 'wall_clock_timeout', durationMs: 2 * day })
    const working = virtualRun({
      script: [calling],
      tools: [fakeTool('a', NEVER, { timeoutMs: 0 })],
      ports: { wallClockMs: day },
    })
    expect(endOf(working)).toMatchObject({ terminationReason: 'wall_clock_timeout', durationMs: day })
    expect(working.messages.at(-1)).toMatchObject({ role: 'toolResult', isError: true })
  })

  it('leaves no wall-clock timer behind', () => {
    const played = virtualRun({ script: ['x'], ports: { wallClockMs: 1_000 } })
    expect(endOf(played).terminationReason).toBe('completed')
  })

  it('reports an error for a wall-clock limit beyond a timer’s range [LOOP-28b]', () => {
    const played = virtualRun({ script: ['x'], ports: { wallClockMs: 2 ** 31 } })
    expect(endOf(played)).toMatchObject({ terminationReason: 'error', error: { code: 'bad_request' } })
    expect(played.requests).toHaveLength(0)
  })
})
