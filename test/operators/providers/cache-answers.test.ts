// Tests `cacheAnswers`, which replays the answer to a request that was made before.
import { Type } from '@sinclair/typebox'
import { mergeMap, of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { cacheAnswers } from '../../../lib/operators/providers/cache-answers.ts'
import type { CacheAnswersOptions } from '../../../lib/operators/providers/cache-answers.ts'
import { scripted } from '../../../lib/providers/offline/scripted.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import type { Provider, ProviderRequest } from '../../../lib/streams/ports/provider.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { assistant, sampleUsage, toolResult } from '../../streams/events/samples.ts'
import { deltas, providerFailure, sampleRequest } from './provider-samples.ts'

const asks = (content: string, more: Partial<ProviderRequest> = {}): ProviderRequest => ({
  ...sampleRequest,
  messages: [{ role: 'user', content, timestamp: 1 }],
  ...more,
})

/** Sends the requests one after the other; returns how many were sent on. */
function sentOn(requests: readonly ProviderRequest[], options?: CacheAnswersOptions): number {
  const inner$ = scripted(() => 'Hi')
  const provider = cacheAnswers(options)(inner$)
  for (const request of requests) provider(request).subscribe()
  return inner$.requests.length
}

describe('cacheAnswers', () => {
  it('passes the first answer on, and replays it at once without usage', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const answer$ = cold('s-t-x-e-u-(d|)', deltas)
      const provider = cacheAnswers()(() => answer$)
      const values = { ...deltas, f: { ...deltas.d, usage: noUsage } }
      expectObservable(provider(sampleRequest)).toBe('s-t-x-e-u-(d|)', values)
      expectObservable(cold('20ms (r|)').pipe(sending(provider))).toBe('20ms (stxef|)', values)
      expectSubscriptions(answer$.subscriptions).toBe('^---------!')
    })
  })

  it.each([
    ['stays open if the provider never emits', '---', '---', '^'],
    ['completes with an empty answer', '--|', '--|', '^-!'],
    ['fails as the provider does', '-t-#', '-t-#', '^--!'],
  ])('%s', (_, marble, expected, subscription) => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const answer$ = cold(marble, deltas)
      expectObservable(cacheAnswers()(() => answer$)(sampleRequest)).toBe(expected, deltas)
      expectSubscriptions(answer$.subscriptions).toBe(subscription)
    })
  })

  it('unsubscribes the request, whose answer is not kept', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const answer$ = cold('t-x-e-(d|)', deltas)
      const provider = cacheAnswers()(() => answer$)
      expectObservable(provider(sampleRequest), '^--!').toBe('t-x', deltas)
      expectObservable(cold('20ms (r|)').pipe(sending(provider))).toBe('20ms t-x-e-(d|)', deltas)
      expectSubscriptions(answer$.subscriptions).toBe(['^--!', '20ms ^-----!'])
    })
  })

  it.each<[string, Provider]>([
    ['failed', () => throwError(() => providerFailure('network'))],
    ['was cut off', () => of(deltas.t, deltas.x, deltas.e, deltas.l)],
    ['ended without done', () => of(deltas.t, deltas.x)],
  ])('does not keep an answer that %s', (_, answer) => {
    let sent = 0
    const provider = cacheAnswers()((request) => {
      sent += 1
      return answer(request)
    })
    for (let count = 0; count < 2; count++) provider(sampleRequest).subscribe({ error: () => undefined })
    expect(sent).toBe(2)
  })

  const answered = (timestamp: number, usage = sampleUsage) => [
    { role: 'user', content: 'Look', timestamp } as const,
    assistant([{ type: 'toolCall', id: 'c', name: 'read', arguments: {} }], { timestamp, usage }),
    toolResult({ timestamp, durationMs: timestamp }),
  ]
  it.each<[string, number, ProviderRequest, ProviderRequest]>([
    ['the same request', 1, asks('a'), asks('a')],
    ['another session', 1, asks('a', { sessionId: 'x' }), asks('a', { sessionId: 'y' })],
    ['other times and usages', 1, asks('', { messages: answered(1) }), asks('', { messages: answered(2, noUsage) })],
    ['another text', 2, asks('a'), asks('b')],
    ['another system prompt', 2, asks('a'), asks('a', { system: 'Be long.' })],
    ['another model', 2, asks('a'), asks('a', { model: { ...sampleRequest.model, id: 'other' } })],
    ['another level of thinking', 2, asks('a'), asks('a', { thinkingLevel: 'high' })],
    ['a schema', 2, asks('a'), asks('a', { outputSchema: { type: 'object' } })],
    ['a tool', 2, asks('a'), asks('a', { tools: [{ name: 't', description: 'd', parameters: Type.Object({}) }] })],
    [
      'another result',
      2,
      asks('', { messages: [toolResult()] }),
      asks('', { messages: [toolResult({ isError: true })] }),
    ],
  ])('%s: %d requests are sent', (_, count, first, second) => {
    expect(sentOn([first, second])).toBe(count)
  })

  it('takes keys of your own', () => {
    expect(sentOn([asks('a'), asks('b')], { keyOf: () => 'same' })).toBe(1)
  })

  it('drops the answer that was used least recently', () => {
    // a and b are kept, a is used, c drops b
    expect(
      sentOn(
        ['a', 'b', 'a', 'c', 'a', 'c', 'b'].map((text) => asks(text)),
        { answers: 2 },
      ),
    ).toBe(4)
  })

  it('keeps no more than so many characters', () => {
    expect(sentOn([asks('a'), asks('a')], { characters: 100 })).toBe(2)
    expect(sentOn([asks('a'), asks('b'), asks('b'), asks('a')], { characters: 900 })).toBe(3)
  })

  it('fails if keyOf throws', () => {
    const failures: unknown[] = []
    const broken = new Error('broken')
    const keyOf = (): string => {
      throw broken
    }
    cacheAnswers({ keyOf })(scripted(['Hi']))(sampleRequest).subscribe({
      error: (error: unknown) => failures.push(error),
    })
    expect(failures).toEqual([broken])
  })

  it.each([{ answers: -1 }, { answers: 1.5 }, { characters: NaN }])('refuses %j', (options) => {
    expect(() => cacheAnswers(options)).toThrow(expect.objectContaining({ code: 'bad_request' }))
  })

  it('replays as often as it is asked', () => {
    const received: AssistantDelta[][] = []
    const provider = cacheAnswers()(scripted(['Hi']))
    for (let count = 0; count < 3; count++) {
      const own: AssistantDelta[] = []
      provider(sampleRequest).subscribe((delta) => own.push(delta))
      received.push(own)
    }
    expect(received[2]).toEqual(received[1])
    expect(received[1]?.at(-1)).toMatchObject({ type: 'done', usage: noUsage })
  })
})

function sending(provider: Provider) {
  return mergeMap(() => provider(sampleRequest))
}
