// Tests `fallbackTo`, which asks another model if a provider fails before its answer is visible.
import { NEVER, concat, ignoreElements, of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { fallbackTo } from '../../../lib/operators/providers/fallback-to.ts'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import type { Model } from '../../../lib/streams/models/model.ts'
import type { Provider } from '../../../lib/streams/ports/provider.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { timeline } from '../../../lib/testing/timeline.ts'
import { deltas, providerFailure, sampleRequest } from './provider-samples.ts'

const other = { ...scriptedModel, id: 'other' }
const letterOf = (value: unknown): string => {
  const { type } = value as AssistantDelta
  return { start: 's', warning: 'w', usage: 'u', text_start: 't', text_delta: 'x', text_end: 'e', done: 'd' }[
    type as 'start'
  ]
}

/** The answer of a provider with one fallback, drawn: `first` and `second` are marbles of deltas. */
function drawn(first: string, second: string, failure: unknown = providerFailure('rate_limit')): string {
  return timeline(
    ({ cold }) =>
      fallbackTo({ model: other, provider: () => cold(second, deltas) })(() => cold(first, deltas, failure))(
        sampleRequest,
      ),
    { name: letterOf, until: 20 },
  )
}

describe('fallbackTo', () => {
  it.each([
    ['emits nothing if the provider does not', '---', 'd|', ''],
    ['passes an answer on from its first block', 's-t-x-e-d|', 'd|', '2:st 4:x 6:e 8:d 9:|'],
    ['passes an empty answer on', 's-u-d|', 'd|', '4:sud 5:|'],
    ['passes deltas before the first block with it', 's-w-t|', 'd|', '4:swt 5:|'],
    ['asks the fallback after a failure, with a warning', '---#', '-s-t-d|', '3:w 6:st 8:d 9:|'],
    ['drops what came before the failure', 's-u-#', '-t-d|', '4:w 5:t 7:d 8:|'],
    ['asks the fallback if the answer ends before it began', 's--|', '-t-d|', '3:w 4:t 6:d 7:|'],
    ['passes a failure on once a block is visible', 's-t-#', 'd|', '2:st 4:#'],
    ['passes an early end on once a block is visible', 's-t-|', 'd|', '2:st 4:|'],
    ['fails with the failure of the last model', '-#', '-#', '1:w 2:#'],
  ])('%s', (_, first, second, expected) => {
    expect(drawn(first, second)).toBe(expected)
  })

  it.each([
    ['bad_request', '1:#'],
    ['context_overflow', '1:#'],
    ['auth', '1:wd 2:|'],
    ['network', '1:wd 2:|'],
    ['overloaded', '1:wd 2:|'],
    ['stall', '1:wd 2:|'],
  ] as const)('a failure of kind %s: %s', (kind, expected) => {
    expect(drawn('-#', 'd|', providerFailure(kind))).toBe(expected)
  })

  it('passes the signatures of its own model on, and none of another; another has its own price', () => {
    const signature = 'made-by-one-model'
    const usage = { ...noUsage, input: 1_000_000, totalTokens: 1_000_000, cost: 'unknown' as const }
    const answer: readonly AssistantDelta[] = [
      { type: 'thinking_start', contentIndex: 0 },
      { type: 'thinking_end', contentIndex: 0, signature },
      { type: 'toolcall_start', contentIndex: 1, id: 'c', name: 'read' },
      { type: 'toolcall_end', contentIndex: 1, arguments: {}, signature },
      { type: 'done', stopReason: 'toolUse', usage },
    ]
    const priced = { ...other, prices: { input: 3, output: 5 } }
    const made = (first: Provider, model: Model = priced): AssistantDelta[] => {
      const emitted: AssistantDelta[] = []
      fallbackTo({ model, provider: () => of(...answer) })(first)(sampleRequest).subscribe((delta) =>
        emitted.push(delta),
      )
      return emitted
    }
    expect(made(() => of(...answer))).toEqual(answer)
    const busy$: Provider = () => throwError(() => providerFailure('rate_limit'))
    expect(made(busy$, { ...sampleRequest.model }).slice(1)).toEqual(answer)
    const fallback = made(busy$).slice(1)
    expect(JSON.stringify(fallback)).not.toContain(signature)
    expect(fallback.map(({ type }) => type)).toEqual(answer.map(({ type }) => type))
    expect(fallback.at(-1)).toMatchObject({ usage: { cost: { total: 3 } } })
  })

  it('fails at once for an error that is no failure of a provider', () => {
    expect(drawn('-#', 'd|', new Error('a fault'))).toBe('1:#')
  })

  it('sends the request with the model of the fallback, and says so', () => {
    const provider = scripted(['Hi'])
    const received: AssistantDelta[] = []
    fallbackTo({ model: other, provider })(() => throwError(() => providerFailure('auth')))(sampleRequest).subscribe(
      (delta) => received.push(delta),
    )
    expect(provider.requests).toEqual([{ ...sampleRequest, model: other }])
    expect(received[0]).toEqual({
      type: 'warning',
      code: 'model_fallback',
      message: 'scripted/scripted failed, so scripted/other answers: It failed (auth)',
      context: { from: 'scripted/scripted', to: 'scripted/other', kind: 'auth' },
      recoverable: true,
    })
  })

  it('asks 10,000 fallbacks that fail in the call, in order', () => {
    let count = 0
    const failing$: Provider = () => {
      count += 1
      throw providerFailure('network')
    }
    const [first, ...rest] = Array.from({ length: 10_000 }, () => ({ model: other, provider: failing$ }))
    const last = { model: other, provider: () => of(deltas.d) }
    const types: string[] = []
    fallbackTo(first ?? last, ...rest, last)(failing$)(sampleRequest).subscribe(({ type }) => types.push(type))
    expect([count, types.length, types.at(-1)]).toEqual([10_001, 10_002, 'done'])
  })

  it('unsubscribes the request of the provider', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const first$ = cold('t----', deltas)
      const provider = fallbackTo({ model: other, provider: () => NEVER })(() => first$)
      expectObservable(provider(sampleRequest), '^-!').toBe('t', deltas)
      expectSubscriptions(first$.subscriptions).toBe('^-!')
    })
  })

  it('unsubscribes the request of the fallback', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const first$ = cold('-#', deltas, providerFailure('network'))
      const second$ = cold('-----', deltas)
      const provider = fallbackTo({ model: other, provider: () => second$ })(() => first$)
      expectObservable(provider(sampleRequest).pipe(ignoreElements()), '^--!').toBe('---')
      expectSubscriptions(first$.subscriptions).toBe('^!')
      expectSubscriptions(second$.subscriptions).toBe('-^-!')
    })
  })

  it('starts with the first provider at each subscription', () => {
    let subscribed = 0
    const provider = fallbackTo({ model: other, provider: () => NEVER })(() => {
      subscribed += 1
      return concat(of(deltas.t), NEVER)
    })
    const answer$ = provider(sampleRequest)
    for (const subscription of [answer$.subscribe(), answer$.subscribe()]) subscription.unsubscribe()
    expect(subscribed).toBe(2)
  })
})
