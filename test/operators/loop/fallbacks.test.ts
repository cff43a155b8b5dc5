// Tests when a run asks a fallback model, and when it does not (docs/loop.md#28, docs/loop.md#29).
// Over 250 lines: the rules of fallbacks are tested in all their combinations over one set of models.
import { concat, map, of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import type { AgentEvent, EventNamed } from '../../../lib/streams/events/event.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { ProviderFailureKind } from '../../../lib/streams/values/failure.ts'
import type { AssistantMessage } from '../../../lib/streams/messages/message.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import type { ProviderModel } from '../../../lib/streams/ports/provider.ts'
import { checkEvent } from '../../../lib/streams/validation/validators.ts'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { scenePorts } from '../../../lib/testing/run-scene.ts'
import type { RunScene } from '../../../lib/testing/run-scene.ts'
import { virtualRun } from '../../../lib/testing/virtual-run.ts'
import type { VirtualRun } from '../../../lib/testing/virtual-run.ts'
import { faultsOfRun } from '../../support/laws.ts'

const providerFailure = (kind: ProviderFailureKind | undefined, more: object = {}): Failure =>
  new Failure('provider_error', `it was ${kind}`, { data: { ...(kind === undefined ? {} : { kind }), ...more } })
const textStart: AssistantDelta = { type: 'text_start', contentIndex: 0 }
const text = (piece: string): AssistantDelta => ({ type: 'text_delta', contentIndex: 0, text: piece })
const done: AssistantDelta = { type: 'done', stopReason: 'stop', usage: noUsage }
const calling = { toolCalls: [{ name: 'a' }] }
/** One attempt a model, so that a scene shows only its fallbacks. */
const once = { retry: { attempts: 1 } }

/** Returns the run after checking that it ended cleanly. */
function playScene(scene: RunScene): VirtualRun {
  const run = virtualRun(scene)
  expect([run.end, faultsOfRun(run.events)]).toEqual(['complete', []])
  for (const event of run.events) expect(checkEvent(event)).toMatchObject({ ok: true })
  return run
}

const requestedModels = ({ requests }: VirtualRun): string[] => requests.map(({ model }) => model.id)
const endOf = ({ events }: VirtualRun): EventNamed<'agent_end'> | undefined =>
  events.find((event) => event.type === 'agent_end')
const answers = ({ messages }: VirtualRun): AssistantMessage[] =>
  messages.filter((message) => message.role === 'assistant')
const fallbackEvents = (events: readonly AgentEvent[]): AgentEvent[] =>
  events.filter(({ type }) => type === 'model_fallback')

describe('fallbacks', () => {
  it('are used when the attempts are over, each with its own attempts and an event per change [LOOP-28i, EVENT-retry]', () => {
    const run = playScene({
      script: [providerFailure('overloaded'), providerFailure('network'), providerFailure('network')],
      fallbacks: [
        { script: [providerFailure('stall'), providerFailure('overloaded'), providerFailure('rate_limit')] },
        { script: ['at last'] },
      ],
    })
    expect(requestedModels(run)).toEqual([
      ...['scripted', 'scripted', 'scripted'],
      ...['fallback_1', 'fallback_1', 'fallback_1'],
      'fallback_2',
    ])
    expect(run.timeline()).toBe(
      '0:AS,TS,ms(user),me(user),auto_retry 1000:auto_retry 3000:model_fallback,auto_retry 4000:auto_retry ' +
        '6000:model_fallback,ms(asst),mu,mu,mu,me(asst),TE,AE,SET',
    )
    const base = { attempt: 1, delayMs: 0 }
    const names = ['scripted/scripted', 'scripted/fallback_1', 'scripted/fallback_2']
    expect(fallbackEvents(run.events)).toEqual([
      { type: 'model_fallback', ...base, kind: 'network', from: names[0], to: names[1], message: 'it was network' },
      {
        type: 'model_fallback',
        ...base,
        kind: 'rate_limit',
        from: names[1],
        to: names[2],
        message: 'it was rate_limit',
      },
    ])
    expect(endOf(run)?.terminationReason).toBe('completed')
  })

  it.each<ProviderFailureKind>(['rate_limit', 'overloaded', 'network', 'stall', 'early_end', 'auth'])(
    'are used after %s',
    (kind) => {
      const run = playScene({ script: [providerFailure(kind)], fallbacks: [{ script: ['x'] }], ports: once })
      expect([requestedModels(run), endOf(run)?.terminationReason]).toEqual([['scripted', 'fallback_1'], 'completed'])
    },
  )

  it('are used at once if the provider requires too long a wait', () => {
    const script = [providerFailure('rate_limit', { retryAfterMs: 3_600_000 })]
    const run = playScene({ script, fallbacks: [{ script: ['x'] }] })
    expect(endOf(run)).toMatchObject({ terminationReason: 'completed', durationMs: 0 })
  })

  it.each<[string, Failure]>([
    ['a bad request', providerFailure('bad_request')],
    ['a refusal', providerFailure('refused')],
    ['a failure without a kind', providerFailure(undefined)],
    ['an internal failure', new Failure('internal', 'a fault')],
  ])('are not used after %s', (_, failure) => {
    const run = playScene({ script: [failure], fallbacks: [{ script: ['never'] }] })
    expect([requestedModels(run), endOf(run)?.error?.message]).toEqual([['scripted'], failure.message])
  })

  it('are not used after something was visible: the message keeps its content', () => {
    const cut$ = concat(
      of(textStart, text('so far')),
      throwError(() => providerFailure('network')),
    )
    const run = playScene({ script: [{ deltas$: cut$ }], fallbacks: [{ script: ['never'] }] })
    expect(requestedModels(run)).toEqual(['scripted'])
    expect(answers(run)).toMatchObject([{ stopReason: 'error', content: [{ text: 'so far' }], model: 'scripted' }])
  })

  it('end the message with the last failure if all of them fail', () => {
    const run = playScene({
      script: [providerFailure('network')],
      fallbacks: [{ script: [providerFailure('overloaded')] }, { script: [providerFailure('auth')] }],
      ports: once,
    })
    expect(run.notation()).toBe('AS TS ms(user) me(user) model_fallback model_fallback ms(asst) me(asst) TE AE SET')
    expect(answers(run)).toMatchObject([{ stopReason: 'error', errorMessage: 'it was auth', model: 'fallback_2' }])
    expect(endOf(run)).toMatchObject({ terminationReason: 'error', error: { data: { kind: 'auth' } } })
  })

  it('are not used further if one fails permanently', () => {
    const run = playScene({
      script: [providerFailure('network')],
      fallbacks: [{ script: [providerFailure('bad_request')] }, { script: ['never'] }],
      ports: once,
    })
    expect([requestedModels(run), endOf(run)?.error?.data]).toEqual([
      ['scripted', 'fallback_1'],
      { kind: 'bad_request' },
    ])
  })

  it('end as idle_timeout if the last of them stalls', () => {
    const run = playScene({
      script: [{ end: 'never' }],
      fallbacks: [{ script: [{ end: 'never' }] }],
      ports: { ...once, idle: { first: 5_000, each: 5_000 } },
    })
    expect(endOf(run)).toMatchObject({ terminationReason: 'idle_timeout', durationMs: 10_000 })
  })

  it('have the idle limit of a local endpoint only if they are local', () => {
    const idle = { first: 120_000, firstLocal: 600_000, each: 120_000 }
    const slow = { text: 'x', delayMs: 599_000 }
    const local = { script: [slow], model: { local: true } }
    const run = playScene({ script: [slow], fallbacks: [{ script: [slow] }, local], ports: { ...once, idle } })
    expect(answers(run)).toMatchObject([{ model: 'fallback_2', stopReason: 'stop' }])
    expect(endOf(run)).toMatchObject({ terminationReason: 'completed', durationMs: 839_000 })
  })

  it('give the message the model that answers, from its start', () => {
    const run = playScene({
      script: [providerFailure('network')],
      fallbacks: [{ script: ['x'], model: { id: 'other', provider: 'elsewhere', api: 'another' } }],
      ports: once,
    })
    const names = { api: 'another', provider: 'elsewhere', model: 'other' }
    const emitted = run.events.flatMap((event) =>
      (event.type === 'message_start' || event.type === 'message_end') && event.message.role === 'assistant'
        ? [event.message]
        : [],
    )
    expect(emitted).toMatchObject([names, names])
    expect(emitted[1]).not.toHaveProperty('responseModel')
  })

  it('get a context that is transformed again, with their model', () => {
    const windows: unknown[] = []
    const run = playScene({
      script: [providerFailure('network')],
      fallbacks: [{ script: ['x'], model: { contextWindow: 4_000 } }],
      ports: {
        ...once,
        transformContext: map((context) => {
          windows.push([context.model.id, context.model.contextWindow, context.messages.length])
          return { ...context, system: `for ${context.model.id}` }
        }),
      },
    })
    expect(windows).toEqual([
      ['scripted', 200_000, 1],
      ['fallback_1', 4_000, 1],
    ])
    expect(run.requests.map(({ system }) => system)).toEqual(['for scripted', 'for fallback_1'])
  })

  it('end the message if the transform of their context fails', () => {
    const run = playScene({
      script: [providerFailure('network')],
      fallbacks: [{ script: ['never'] }],
      ports: {
        ...once,
        transformContext: map((context) => {
          if (context.model.id === 'fallback_1') throw new Error('too small')
          return context
        }),
      },
    })
    expect(endOf(run)).toMatchObject({ terminationReason: 'error', error: { message: 'too small' } })
  })

  it('stay in use for the rest of the run after one has answered', () => {
    const run = playScene({
      script: [calling, providerFailure('overloaded'), 'never'],
      fallbacks: [{ script: [providerFailure('network'), 'never'] }, { script: [calling, calling, 'done'] }],
      tools: [fakeTool('a', 'x')],
      ports: once,
    })
    expect(requestedModels(run)).toEqual([
      'scripted',
      'scripted',
      'fallback_1',
      'fallback_2',
      'fallback_2',
      'fallback_2',
    ])
    expect(answers(run).map(({ model }) => model)).toEqual(['scripted', 'fallback_2', 'fallback_2', 'fallback_2'])
    expect(fallbackEvents(run.events)).toHaveLength(2)
  })

  it('continue with those behind the one that has answered', () => {
    const run = playScene({
      script: [providerFailure('network'), 'never'],
      fallbacks: [{ script: [calling, providerFailure('network')] }, { script: ['done'] }],
      tools: [fakeTool('a', 'x')],
      ports: once,
    })
    expect(requestedModels(run)).toEqual(['scripted', 'fallback_1', 'fallback_1', 'fallback_2'])
  })

  it('are not remembered by the next run, which starts with the model itself', () => {
    const scene: RunScene = {
      script: [providerFailure('network'), 'back'],
      fallbacks: [{ script: ['in its place'] }],
      ports: once,
    }
    const { ports, requests } = scenePorts(scene)
    for (const prompt of ['one', 'two']) playScene({ script: [], prompt, ports })
    expect(requests.map(({ model }) => model.id)).toEqual(['scripted', 'fallback_1', 'scripted'])
  })

  it('start again if the settings name another model', () => {
    const other: ProviderModel = { model: { ...scriptedModel, id: 'other' }, provider: scripted(['done']) }
    const scene: RunScene = {
      script: [providerFailure('network'), 'never'],
      fallbacks: [{ script: [calling, 'never'] }],
      tools: [fakeTool('a', 'x')],
      ports: once,
    }
    const { ports } = scenePorts(scene)
    let turns = 0
    const settings = () => {
      const first = ports.settings()
      return turns === 0 ? first : { ...first, ...other, fallbacks: first.fallbacks ?? [] }
    }
    const run = playScene({
      script: [],
      ports: { ...ports, settings },
      onEvent: (event) => {
        if (event.type === 'turn_end') turns += 1
      },
    })
    expect(answers(run).map(({ model }) => model)).toEqual(['fallback_1', 'other'])
  })

  it('are not used after an abort, also from within their event', () => {
    const run = playScene({
      script: [providerFailure('network')],
      fallbacks: [{ script: ['never'] }],
      ports: once,
      onEvent: (event, control) => {
        if (event.type === 'model_fallback') control.stop()
      },
    })
    expect(requestedModels(run)).toEqual(['scripted'])
    expect(run.notation()).toBe('AS TS ms(user) me(user) model_fallback TE AE SET')
  })

  it('have no limit in number', () => {
    const fallbacks = Array.from({ length: 200 }, () => ({ script: [providerFailure('network')] }))
    const run = playScene({
      script: [providerFailure('network')],
      fallbacks: [...fallbacks, { script: ['x'] }],
      ports: once,
    })
    expect([requestedModels(run).length, endOf(run)?.terminationReason]).toEqual([202, 'completed'])
  })
})

describe('the metadata (start, usage) of a failed attempt', () => {
  const opened = (responseId: string): AssistantDelta[] => [
    { type: 'start', responseId, model: 'a snapshot' },
    { type: 'usage', usage: { ...noUsage, input: 7, totalTokens: 7 } },
  ]
  const failed = (responseId: string) => ({
    deltas$: concat(
      of(...opened(responseId)),
      throwError(() => providerFailure('network')),
    ),
  })

  it('is not in the message of the next attempt', () => {
    const run = playScene({ script: [failed('first'), [textStart, text('x'), done]] })
    expect(answers(run)[0]).not.toHaveProperty('responseId')
    expect(answers(run)[0]).not.toHaveProperty('responseModel')
    const cut = playScene({ script: [failed('first'), [textStart]] })
    expect(answers(cut)).toMatchObject([{ stopReason: 'error', usage: noUsage }])
  })

  it('is not in the message of a fallback', () => {
    const run = playScene({
      script: [failed('first')],
      fallbacks: [{ script: [[textStart, text('x'), done]] }],
      ports: once,
    })
    expect(answers(run)[0]).not.toHaveProperty('responseId')
  })

  it('stays if it is the last attempt', () => {
    const run = playScene({ script: [failed('first'), failed('second')], ports: { retry: { attempts: 2 } } })
    expect(answers(run)).toMatchObject([{ stopReason: 'error', responseId: 'second', responseModel: 'a snapshot' }])
  })

  it('does not change the message’s timestamp, the time of the first attempt', () => {
    const run = playScene({ script: [failed('first'), 'x'] })
    expect(answers(run)).toMatchObject([{ timestamp: 0, durationMs: 1_000 }])
  })
})
