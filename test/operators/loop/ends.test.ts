// LOOP.md "Ends": how a run comes to its end, and what it says of it.
import { EMPTY, NEVER, concat, ignoreElements, map, of, throwError, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { calledTool, maxTurns, spent } from '../../../lib/operators/stop-when.ts'
import { queues } from '../../../lib/operators/queues.ts'
import type { EventNamed } from '../../../lib/streams/event.ts'
import type { AssistantDelta } from '../../../lib/streams/delta.ts'
import { Failure } from '../../../lib/streams/failure.ts'
import type { ProviderFailureKind } from '../../../lib/streams/failure.ts'
import type { AssistantMessage } from '../../../lib/streams/message.ts'
import { noUsage } from '../../../lib/streams/message.ts'
import { textResult } from '../../../lib/streams/tool.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { scripted } from '../../../lib/providers/scripted.ts'
import { scriptedModel } from '../../../lib/providers/scripted-model.ts'
import { virtualRun } from '../../../lib/testing/virtual-run.ts'
import type { VirtualRun } from '../../../lib/testing/virtual-run.ts'

function endOf(played: VirtualRun): EventNamed<'agent_end'> {
  const ends = played.events.filter((event) => event.type === 'agent_end')
  expect([ends.length, played.end]).toEqual([1, 'complete'])
  const [end] = ends
  if (end === undefined) throw new Error('the run has no end')
  return end
}

function lastAnswer(played: VirtualRun): AssistantMessage | undefined {
  return played.messages.findLast((message) => message.role === 'assistant')
}

const failing = (kind: ProviderFailureKind): Failure =>
  new Failure('provider_error', `it was ${kind}`, { data: { kind } })
const text = (piece: string): AssistantDelta => ({ type: 'text_delta', contentIndex: 0, text: piece })
const textStart: AssistantDelta = { type: 'text_start', contentIndex: 0 }
const tool = (name: string) => fakeTool(name, 'x')
const calling = { toolCalls: [{ name: 'a' }] }

describe('a provider that fails', () => {
  it('before the message: it starts and ends as an error, and so does the run [LOOP-23a, LOOP-26b, EVENT-message]', () => {
    const played = virtualRun({ script: [failing('auth')] })
    expect(played.notation()).toBe('AS TS ms(user) me(user) ms(asst) me(asst) TE AE SET')
    expect(lastAnswer(played)).toMatchObject({ stopReason: 'error', errorMessage: 'it was auth', content: [] })
    expect(endOf(played)).toMatchObject({
      terminationReason: 'error',
      totalTurns: 1,
      error: { code: 'provider_error', message: 'it was auth', data: { kind: 'auth' } },
    })
  })

  it('during the message: what had arrived is kept [LOOP-23b]', () => {
    const played = virtualRun({
      script: [
        {
          deltas$: concat(
            of(textStart, text('so far')),
            throwError(() => failing('network')),
          ),
        },
      ],
    })
    expect(played.notation()).toBe('AS TS ms(user) me(user) ms(asst) mu me(asst) TE AE SET')
    expect(lastAnswer(played)).toMatchObject({ stopReason: 'error', content: [{ text: 'so far' }] })
  })

  it('during a tool call: the call gets a result, and is not run', () => {
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
            throwError(() => failing('network')),
          ),
        },
      ],
      tools: [never],
    })
    expect(played.notation()).toBe('AS TS ms(user) me(user) ms(asst) mu me(asst) xs xe ms(result) me(result) TE AE SET')
    expect([never.calls, endOf(played).terminationReason]).toEqual([[], 'error'])
  })

  it('that throws instead of failing, or throws something else than a Failure [LOOP-23d]', () => {
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
    const played = virtualRun({ script: [calling, failing('auth')], tools: [tool('a')] })
    expect(endOf(played)).toMatchObject({ terminationReason: 'error', totalTurns: 2 })
  })
})

describe('what the end of a run says', () => {
  it('how many turns, how long, with how much [LOOP-26a, EVENT-agent_end]', () => {
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
  ] as const)('%s, where it was stopped so [LOOP-26b]', (reason, told) => {
    const played = virtualRun({ script: [{ end: 'never' }], at: { 5: (control) => control.stop(reason) } })
    expect(endOf(played)).toMatchObject({ terminationReason: told, totalTurns: 1 })
  })

  it('why it was stopped, whatever its last turn would have ended it with [LOOP-26b]', () => {
    const played = virtualRun({
      script: [calling],
      tools: [fakeTool('a', of(textResult('x', { terminate: true })))],
      onEvent: (event, control) => {
        if (event.type === 'tool_execution_end') control.stop()
      },
    })
    expect(endOf(played).terminationReason).toBe('aborted')
  })

  it('idle_timeout, where the provider says nothing for two minutes, or each attempt did [LOOP-26c, LOOP-27c]', () => {
    const script = [{ end: 'never' }, { end: 'never' }, { end: 'never' }] as const
    const played = virtualRun({ script, ports: { idle: { first: 120_000, each: 120_000 } } })
    expect(played.events.filter(({ type }) => type === 'auto_retry')).toHaveLength(2)
    expect(endOf(played)).toMatchObject({
      terminationReason: 'idle_timeout',
      error: { data: { kind: 'stall' } },
      durationMs: 363_000,
    })
  })

  it('idle_timeout too, where the provider says that it is there and nothing else', () => {
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

  it('idle_timeout at once, where something was visible [LOOP-27c]', () => {
    const played = virtualRun({
      script: [{ deltas$: concat(of(textStart, text('so far')), NEVER) }],
      ports: { idle: { first: 120_000, each: 120_000 } },
    })
    expect(endOf(played)).toMatchObject({ terminationReason: 'idle_timeout', durationMs: 120_000 })
    expect(lastAnswer(played)).toMatchObject({ content: [{ text: 'so far' }], stopReason: 'error' })
  })

  it('wall_clock_timeout, where the run takes too long, whatever it does [LOOP-26d]', () => {
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

  it('has no wall clock left when it has ended', () => {
    const played = virtualRun({ script: ['x'], ports: { wallClockMs: 1_000 } })
    expect(endOf(played).terminationReason).toBe('completed')
  })

  it('refuses a wall clock that no timer keeps, instead of ending at once [LOOP-28b]', () => {
    const played = virtualRun({ script: ['x'], ports: { wallClockMs: 2 ** 31 } })
    expect(endOf(played)).toMatchObject({ terminationReason: 'error', error: { code: 'bad_request' } })
    expect(played.requests).toHaveLength(0)
  })
})

describe('stop rules', () => {
  const endless = { script: () => ({ ...calling, usage: { output: 10 } }), tools: [tool('a')] }

  it('maxTurns ends the run as stopped and is named [LOOP-26b, LOOP-27a, LOOP-27b]', () => {
    const played = virtualRun({ ...endless, ports: { stopWhen: [maxTurns(3)] } })
    expect(endOf(played)).toMatchObject({ terminationReason: 'stopped', stopRule: 'maxTurns', totalTurns: 3 })
    expect(played.requests).toHaveLength(3)
  })

  it('spent ends it as budget_exceeded [LOOP-26b, LOOP-27a, LOOP-27b]', () => {
    const played = virtualRun({ ...endless, ports: { stopWhen: [spent({ tokens: 25 })] } })
    expect(endOf(played)).toMatchObject({ terminationReason: 'budget_exceeded', stopRule: 'spent', totalTurns: 3 })
  })

  it('spent says once that it cannot count what a model without prices costs', () => {
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
    const warnings = played.events.flatMap((event) => (event.type === 'warning' ? [[event.code, event.context]] : []))
    expect(warnings[0]).toEqual(['stop_rule_blind', { stopRule: 'spent' }])
    expect(warnings.filter(([code]) => code === 'stop_rule_blind')).toHaveLength(1)
    expect(endOf(played)).toMatchObject({ stopRule: 'maxTurns', usage: { cost: 'unknown' } })
  })

  it('a rule that throws when it is asked what it sees is told, and does not end the run', () => {
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

  it('calledTool ends it after the tool has run [LOOP-27a, LOOP-27b]', () => {
    const played = virtualRun({ ...endless, ports: { stopWhen: [calledTool('a')] } })
    expect(endOf(played)).toMatchObject({ terminationReason: 'stopped', stopRule: 'calledTool', totalTurns: 1 })
    expect(played.messages.at(-1)).toMatchObject({ role: 'toolResult', isError: false })
  })

  it('an own rule is asked about the finished turn [LOOP-27a]', () => {
    const asked: unknown[] = []
    const own = {
      name: 'own',
      matches: (turn: object) => {
        asked.push(turn)
        return asked.length === 2
      },
    }
    const played = virtualRun({ ...endless, ports: { stopWhen: [own] } })
    expect(endOf(played)).toMatchObject({ stopRule: 'own', totalTurns: 2 })
    expect(asked[1]).toMatchObject({
      turns: 2,
      usage: { output: 20 },
      message: { role: 'assistant' },
      results: [{ role: 'toolResult', toolCallId: 'call_2_1' }],
    })
  })

  it('the first rule that matches counts', () => {
    const played = virtualRun({ ...endless, ports: { stopWhen: [maxTurns(9), calledTool('a'), maxTurns(1)] } })
    expect(endOf(played).stopRule).toBe('calledTool')
  })

  it('are not asked about a turn that would end the run anyway', () => {
    const played = virtualRun({ script: ['x'], ports: { stopWhen: [maxTurns(1)] } })
    expect(endOf(played)).toMatchObject({ terminationReason: 'completed' })
    expect(endOf(played)).not.toHaveProperty('stopRule')
  })

  it('end a run that only queued input would extend; the input stays queued', () => {
    const waiting = queues([{ queueId: 'q', queue: 'followUp', content: 'f' }])
    const played = virtualRun({ script: ['x', 'y'], ports: { stopWhen: [maxTurns(1)], queues: waiting } })
    expect([endOf(played).stopRule, waiting.size('followUp')]).toEqual(['maxTurns', 1])
  })

  it('a rule that throws ends the run as an error that names it', () => {
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

describe('retries', () => {
  it('are events, before anything is visible, and one message in the end [LOOP-28c, LOOP-28f, PORT-first_delta]', () => {
    const played = virtualRun({ script: [failing('overloaded'), failing('network'), 'at last'] })
    expect(played.notation()).toBe('AS TS ms(user) me(user) auto_retry auto_retry ms(asst) mu me(asst) TE AE SET')
    expect([played.requests.length, endOf(played).terminationReason]).toEqual([3, 'completed'])
    const retries = played.events.filter((event) => event.type === 'auto_retry')
    expect(retries).toMatchObject([
      { attempt: 2, delayMs: 1_000, kind: 'overloaded' },
      { attempt: 3, delayMs: 2_000, kind: 'network' },
    ])
  })

  it('leave no message behind of an attempt that had only begun [PORT-first_delta]', () => {
    const played = virtualRun({ script: [{ error: { kind: 'network' } }, 'at last'] })
    expect(played.notation()).toBe('AS TS ms(user) me(user) auto_retry ms(asst) mu me(asst) TE AE SET')
  })

  it('end as an error when all attempts failed', () => {
    const played = virtualRun({ script: [failing('network'), failing('network'), failing('network'), 'never'] })
    expect([played.requests.length, endOf(played).terminationReason]).toEqual([3, 'error'])
  })

  it('are not made for a key that is refused, nor for a request that is wrong [LOOP-28h]', () => {
    for (const kind of ['auth', 'bad_request'] as const) {
      expect(virtualRun({ script: [failing(kind), 'never'] }).requests).toHaveLength(1)
    }
  })

  it('start the idle limit anew: waits and tools do not count [LOOP-28a]', () => {
    const limited = { idle: { first: 5_000, each: 5_000 }, retry: { baseDelayMs: 30_000, jitter: () => 0 } }
    const retried = virtualRun({ script: [failing('network'), { text: 'x', delayMs: 4_000 }], ports: limited })
    expect(endOf(retried)).toMatchObject({ terminationReason: 'completed', durationMs: 34_000 })
    const working = virtualRun({
      script: [calling, 'done'],
      tools: [fakeTool('a', timer(60_000).pipe(map(() => textResult('x'))))],
      ports: limited,
    })
    expect(endOf(working)).toMatchObject({ terminationReason: 'completed', durationMs: 60_000 })
  })

  it('give the first token a time of its own', () => {
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

  it('are made for an answer that ended before anything of it was visible', () => {
    const played = virtualRun({ script: [{ end: 'early' }, 'at last'] })
    expect(played.notation()).toBe('AS TS ms(user) me(user) auto_retry ms(asst) mu me(asst) TE AE SET')
  })

  it('are not needed where a provider stays open after its answer is done', () => {
    const done: AssistantDelta = { type: 'done', stopReason: 'stop', usage: noUsage }
    const played = virtualRun({ script: [{ deltas$: concat(of(textStart, text('x'), done), NEVER) }] })
    expect(endOf(played)).toMatchObject({ terminationReason: 'completed', durationMs: 0 })
  })

  it('end with an abort: no further attempt', () => {
    const played = virtualRun({ script: [failing('network'), 'never'], at: { 500: (control) => control.stop() } })
    expect(played.requests).toHaveLength(1)
    expect(played.timeline()).toBe('0:AS,TS,ms(user),me(user),auto_retry 500:TE,AE,SET')
  })
})

describe('a throw in the context', () => {
  it.each<[string, object]>([
    ['transformContext throws as it is applied', { transformContext: thrower }],
    ['transformContext fails', { transformContext: () => throwError(() => new Error('broken')) }],
    ['transformContext throws within', { transformContext: map(thrower) }],
    ['convertToLlm throws', { convertToLlm: thrower }],
  ])('ends the turn like a failure of the provider: %s [LOOP-31a]', (_, ports) => {
    const played = virtualRun({ script: ['never'], ports })
    expect(played.notation()).toBe('AS TS ms(user) me(user) ms(asst) me(asst) TE AE SET')
    expect(endOf(played)).toMatchObject({ terminationReason: 'error', error: { message: 'broken' } })
    expect([lastAnswer(played)?.errorMessage, played.requests.length]).toEqual(['broken', 0])
  })

  it('ends the turn where the transform has no context to give [LOOP-31a]', () => {
    const played = virtualRun({ script: ['never'], ports: { transformContext: () => EMPTY } })
    expect(endOf(played)).toMatchObject({ terminationReason: 'error' })
    expect(lastAnswer(played)?.errorMessage).toMatch(/transformContext completed without a context/)
  })

  it('does not wait for a transform that never answers when the run is aborted', () => {
    const played = virtualRun({
      script: ['never'],
      ports: { transformContext: () => NEVER },
      at: { 5: (control) => control.stop() },
    })
    expect(played.timeline()).toBe('0:AS,TS,ms(user),me(user) 5:TE,AE,SET')
  })

  it('ends the run where its settings cannot be had', () => {
    let asked = 0
    const played = virtualRun({
      script: ['never'],
      ports: {
        settings: () => {
          asked += 1
          throw new Error('no settings')
        },
      },
    })
    expect(asked).toBeGreaterThan(0)
    expect(played.end).toBe('complete')
    expect(endOf(played)).toMatchObject({ terminationReason: 'error', error: { message: 'no settings' } })
  })

  it('ends the run where its settings cannot be had any more: no message is begun', () => {
    let asked = 0
    const provider = scripted([calling, 'never'])
    const settings = () => {
      asked += 1
      if (asked > 2) throw new Error('no settings')
      return { model: scriptedModel, provider, system: '', thinkingLevel: 'off' as const, tools: [tool('a')] }
    }
    const played = virtualRun({ script: [], ports: { settings, activeTools: () => [tool('a')] } })
    expect(played.notation()).toBe(
      'AS TS ms(user) me(user) ms(asst) mu me(asst) xs xe ms(result) me(result) TE TS TE AE SET',
    )
    expect(endOf(played)).toMatchObject({ terminationReason: 'error', error: { message: 'no settings' } })
    expect(provider.requests).toHaveLength(1)
  })

  it('takes the last context of several', () => {
    const played = virtualRun({
      script: ['x'],
      ports: {
        transformContext: (context$) =>
          context$.pipe((source$) =>
            concat(source$, source$.pipe(map((context) => ({ ...context, system: 'the last' })))),
          ),
      },
    })
    expect(played.requests.map(({ system }) => system)).toEqual(['the last'])
  })
})

function thrower(): never {
  throw new Error('broken')
}
