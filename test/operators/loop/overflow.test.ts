// Tests that a run shortens a too long conversation once, then gives up (docs/loop.md#29).
import { EMPTY, NEVER, concat, finalize, map, of, throwError, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { MakeRoom, Overflow } from '../../../lib/operators/ports/run-ports.ts'
import { scriptedModel, scripted } from '../../../lib/providers/offline/scripted.ts'
import type { EventNamed } from '../../../lib/streams/events/event.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { ProviderFailureKind } from '../../../lib/streams/values/failure.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import type { ProviderRequest } from '../../../lib/streams/ports/provider.ts'
import type { RunScene } from '../../../lib/testing/run-scene.ts'
import { virtualRun } from '../../../lib/testing/virtual-run.ts'
import type { VirtualRun } from '../../../lib/testing/virtual-run.ts'

const providerFailure = (kind: ProviderFailureKind): Failure =>
  new Failure('provider_error', `it was ${kind}`, { data: { kind } })
const shortenedWarning: EventNamed<'warning'> = {
  type: 'warning',
  code: 'shortened',
  message: 'shorter now',
  recoverable: true,
}

function endOf(run: VirtualRun) {
  return run.events.find((event) => event.type === 'agent_end')
}

/** A run whose requests contain only as many characters of the prompt as `makeRoom` allows. */
function playWithRoom({ ports = {}, ...scene }: RunScene, own?: MakeRoom) {
  const overflows: Overflow[] = []
  let left = 100
  function makeRoom(overflow: Overflow): ReturnType<MakeRoom> {
    overflows.push(overflow)
    left = 10
    return own === undefined ? timer(50).pipe(map(() => shortenedWarning)) : own(overflow)
  }
  const run = virtualRun({
    prompt: 'x'.repeat(400),
    ...scene,
    ports: {
      makeRoom,
      transformContext: map((context) => ({
        ...context,
        messages: context.messages.map((message) =>
          message.role === 'user' ? { ...message, content: 'x'.repeat(left) } : message,
        ),
      })),
      ...ports,
    },
  })
  return { run, overflows, lengths: run.requests.map(lengthOf) }
}

function lengthOf({ messages }: ProviderRequest): number {
  const [first] = messages
  return typeof first?.content === 'string' ? first.content.length : -1
}

describe('an overflow that the provider reports', () => {
  it('makes room and repeats the request, with all transforms [LOOP-29a]', () => {
    const { run, overflows, lengths } = playWithRoom({ script: [providerFailure('context_overflow'), 'short enough'] })
    expect(run.timeline()).toBe('0:AS,TS,ms(user),me(user) 50:warning,ms(asst),mu,mu,mu,me(asst),TE,AE,SET')
    expect(lengths).toEqual([100, 10])
    expect(overflows).toMatchObject([{ model: { id: 'scripted' }, failure: { message: 'it was context_overflow' } }])
    expect(endOf(run)).toMatchObject({ terminationReason: 'completed' })
  })

  it('a second time ends the message as an error [LOOP-29a]', () => {
    const { run, overflows } = playWithRoom({
      script: [providerFailure('context_overflow'), providerFailure('context_overflow'), 'never'],
    })
    expect(run.notation()).toBe('AS TS ms(user) me(user) warning ms(asst) me(asst) TE AE SET')
    expect([overflows.length, run.requests.length]).toEqual([1, 2])
    expect(endOf(run)).toMatchObject({ terminationReason: 'error', error: { data: { kind: 'context_overflow' } } })
  })

  it('makes room again in a later turn', () => {
    const { run, overflows } = playWithRoom({
      script: [providerFailure('context_overflow'), 'one', providerFailure('context_overflow'), 'two'],
      at: { 10: (control) => control.followUp('more') },
    })
    expect([overflows.length, run.requests.length]).toEqual([2, 4])
    expect(endOf(run)).toMatchObject({ terminationReason: 'completed', totalTurns: 2 })
  })

  it('after something was visible ends the message', () => {
    const text: AssistantDelta[] = [
      { type: 'text_start', contentIndex: 0 },
      { type: 'text_delta', contentIndex: 0, text: 'so far' },
    ]
    const deltas$ = concat(
      of(...text),
      throwError(() => providerFailure('context_overflow')),
    )
    const { run, overflows } = playWithRoom({ script: [{ deltas$ }] })
    expect(overflows).toEqual([])
    expect(endOf(run)).toMatchObject({ terminationReason: 'error' })
  })

  it('is followed by normal retries if the shorter request fails otherwise', () => {
    const { run } = playWithRoom({ script: [providerFailure('context_overflow'), providerFailure('network'), 'there'] })
    expect(run.timeline()).toBe(
      '0:AS,TS,ms(user),me(user) 50:warning,auto_retry 1050:ms(asst),mu,mu,mu,me(asst),TE,AE,SET',
    )
  })

  it('makes room for a fallback’s own window', () => {
    const { overflows, run } = playWithRoom({
      script: [providerFailure('auth')],
      fallbacks: [{ script: [providerFailure('context_overflow'), 'there'] }],
    })
    expect(overflows).toMatchObject([{ model: { id: 'fallback_1' } }])
    expect(run.requests.map(({ model }) => model.id)).toEqual(['scripted', 'fallback_1', 'fallback_1'])
  })

  it('without `makeRoom` ends the message, without a retry or a fallback', () => {
    const run = virtualRun({
      script: [providerFailure('context_overflow'), 'never'],
      fallbacks: [{ script: ['never'] }],
    })
    expect(run.requests.map(({ model }) => model.id)).toEqual(['scripted'])
    expect(run.notation()).toBe('AS TS ms(user) me(user) ms(asst) me(asst) TE AE SET')
    expect(endOf(run)).toMatchObject({ terminationReason: 'error', error: { data: { kind: 'context_overflow' } } })
  })
})

describe('an overflow that is counted before sending', () => {
  const within = (contextWindow: number | undefined, script: RunScene['script'] = ['there']): RunScene => ({
    script: [],
    ports: {
      settings: () => ({
        model: { ...scriptedModel, ...(contextWindow === undefined ? {} : { contextWindow }) },
        provider: scripted(script),
        system: '',
        thinkingLevel: 'off',
        tools: [],
      }),
    },
  })

  it('makes room before it sends anything [LOOP-29a]', () => {
    const { run, overflows } = playWithRoom(within(25))
    expect(run.timeline()).toBe('0:AS,TS,ms(user),me(user) 50:warning,ms(asst),mu,mu,mu,me(asst),TE,AE,SET')
    expect(overflows).toEqual([{ model: expect.objectContaining({ contextWindow: 25 }) as unknown, tokens: 33 }])
  })

  it.each([[33], [1_000], [undefined]])('sends at once a context that fits into a window of %j', (contextWindow) => {
    expect(playWithRoom(within(contextWindow)).overflows).toEqual([])
  })

  it('sends a context that still counts as too long after making room: the count is an estimate', () => {
    const { run, overflows } = playWithRoom(within(2))
    expect(overflows).toHaveLength(1)
    expect(endOf(run)).toMatchObject({ terminationReason: 'completed' })
  })

  it('makes room once, also if the provider reports it too [LOOP-29a]', () => {
    const { run, overflows } = playWithRoom(within(25, [providerFailure('context_overflow'), 'never']))
    expect(overflows).toHaveLength(1)
    expect(endOf(run)).toMatchObject({ terminationReason: 'error' })
  })
})

describe('making room', () => {
  const overflow: RunScene = { script: [providerFailure('context_overflow'), 'there'] }

  it('without an event repeats the request', () => {
    expect(endOf(playWithRoom(overflow, () => EMPTY).run)).toMatchObject({ terminationReason: 'completed' })
  })

  it.each<[string, MakeRoom]>([
    [
      'fails',
      () => throwError(() => new Failure('provider_error', 'nobody can sum this up', { data: { kind: 'auth' } })),
    ],
    [
      'throws',
      () => {
        throw new Failure('internal', 'nobody can sum this up')
      },
    ],
  ])('that %s ends the message with its failure', (_, own) => {
    const { run } = playWithRoom(overflow, own)
    expect(run.requests).toHaveLength(1)
    expect(endOf(run)).toMatchObject({ terminationReason: 'error', error: { message: 'nobody can sum this up' } })
  })

  it('is unsubscribed when the run is stopped', () => {
    let rooms = 0
    const never$ = NEVER.pipe(finalize(() => (rooms += 1)))
    const { run } = playWithRoom({ ...overflow, at: { 30: (control) => control.stop() } }, () => never$)
    expect([rooms, run.requests.length]).toEqual([1, 1])
    expect(run.timeline()).toBe('0:AS,TS,ms(user),me(user) 30:TE,AE,SET')
    expect(endOf(run)).toMatchObject({ terminationReason: 'aborted' })
  })
})
