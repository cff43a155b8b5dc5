// Tests `rateLimit`, which makes requests wait until the limits allow them.
import { NEVER, Subject, merge, mergeMap, of, throwError } from 'rxjs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { rateLimit } from '../../../lib/operators/providers/rate-limit.ts'
import type { Provider } from '../../../lib/streams/ports/provider.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { deltas, sampleRequest } from './provider-samples.ts'

afterEach(() => {
  vi.useRealTimers()
})

describe('rateLimit', () => {
  it('passes a request on at once as long as the limits allow it', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const answer$ = cold('-t-x-(d|)', deltas)
      const provider = rateLimit({ requests: 1, perMs: 10 })(() => answer$)
      expectObservable(provider(sampleRequest)).toBe('-t-x-(d|)', deltas)
      expectSubscriptions(answer$.subscriptions).toBe('^----!')
    })
  })

  it.each([
    ['stays open if the provider never emits', '---', '---', '^'],
    ['completes with an empty answer', '--|', '--|', '^-!'],
    ['fails as the provider does', '-t-#', '-t-#', '^--!'],
  ])('%s', (_, marble, expected, subscription) => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const answer$ = cold(marble, deltas)
      expectObservable(rateLimit({ requests: 1 })(() => answer$)(sampleRequest)).toBe(expected, deltas)
      expectSubscriptions(answer$.subscriptions).toBe(subscription)
    })
  })

  it('begins so many requests in a sliding span, in order', () => {
    marbles(({ cold, expectObservable }) => {
      const provider = rateLimit({ requests: 2, perMs: 10 })(() => cold('(d|)', deltas))
      const times = ['', '--', '---', '----'].map((wait) => cold(`${wait}(r|)`))
      const answers$ = merge(...times.map((time$) => time$.pipe(mergeMap(() => provider(sampleRequest)))))
      //                                   0 and 2 at once, 3 waits for 10, 4 for 12
      expectObservable(answers$).toBe('d-d 7ms d-(d|)', { d: deltas.d })
    })
  })

  it('runs so many requests at once; the next begins when one ends', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const answer$ = cold('--(d|)', deltas)
      const provider = rateLimit({ concurrent: 1 })(() => answer$)
      expectObservable(merge(provider(sampleRequest), provider(sampleRequest))).toBe('--d-(d|)', deltas)
      expectSubscriptions(answer$.subscriptions).toBe(['^-!', '--^-!'])
    })
  })

  it.each<[string, () => ReturnType<Provider>]>([
    ['completes in the call', () => of(deltas.d)],
    ['fails in the call', () => throwError(() => new Error('broken'))],
    [
      'throws',
      () => {
        throw new Error('broken')
      },
    ],
  ])('goes on after a request that %s', (_, answer) => {
    const provider = rateLimit({ concurrent: 1 })(answer)
    let ended = 0
    for (let count = 0; count < 3; count++)
      provider(sampleRequest).subscribe({ error: () => (ended += 1), complete: () => (ended += 1) })
    expect(ended).toBe(3)
  })

  it('delivers 10,000 requests that end in the call behind one that does not', () => {
    const first$ = new Subject<typeof deltas.d>()
    let count = 0
    const provider = rateLimit({ concurrent: 1, waiting: 10_000 })(() => (count++ === 0 ? first$ : of(deltas.d)))
    let completed = 0
    for (let sent = 0; sent <= 10_000; sent++) provider(sampleRequest).subscribe({ complete: () => (completed += 1) })
    expect([count, completed]).toEqual([1, 0])
    first$.complete()
    expect([count, completed]).toEqual([10_001, 10_001])
  })

  it('ends a wait when it is unsubscribed, and begins the next request', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const answer$ = cold('----(d|)', deltas)
      const provider = rateLimit({ concurrent: 1 })(() => answer$)
      expectObservable(provider(sampleRequest), '^-!').toBe('---')
      expectObservable(provider(sampleRequest), '^!').toBe('--')
      expectObservable(provider(sampleRequest)).toBe('------(d|)', deltas)
      expectSubscriptions(answer$.subscriptions).toBe(['^-!', '--^---!'])
    })
  })

  it('has a timer only while a request waits', () => {
    vi.useFakeTimers()
    const provider = rateLimit({ requests: 1, perMs: 1_000 })(() => NEVER)
    const first = provider(sampleRequest).subscribe()
    expect(vi.getTimerCount()).toBe(0)
    const second = provider(sampleRequest).subscribe()
    expect(vi.getTimerCount()).toBe(1)
    second.unsubscribe()
    expect(vi.getTimerCount()).toBe(0)
    first.unsubscribe()
  })

  it('fails with overloaded if too many wait', () => {
    const provider = rateLimit({ concurrent: 1, waiting: 1 })(() => NEVER)
    const failures: unknown[] = []
    const open = [1, 2, 3].map(() =>
      provider(sampleRequest).subscribe({ error: (error: unknown) => failures.push(error) }),
    )
    expect(failures).toMatchObject([{ code: 'overloaded' }])
    for (const subscription of open) subscription.unsubscribe()
  })

  it.each([
    { requests: 0 },
    { requests: 1.5 },
    { concurrent: 0 },
    { waiting: -1 },
    { perMs: 0 },
    { perMs: 2_147_483_648 },
  ])('refuses %j', (options) => {
    expect(() => rateLimit(options)).toThrow(expect.objectContaining({ code: 'bad_request' }))
  })

  it.each([3_600_000, 40 * 86_400_000])('waits for the span at most after the clock was set back by %d ms', (back) => {
    vi.useFakeTimers()
    let begun = 0
    const provider = rateLimit({ requests: 1, perMs: 1_000 })(() => {
      begun += 1
      return of()
    })
    provider(sampleRequest).subscribe()
    vi.setSystemTime(Date.now() - back)
    provider(sampleRequest).subscribe()
    expect(begun).toBe(1)
    vi.advanceTimersByTime(1_000)
    expect([begun, vi.getTimerCount()]).toEqual([2, 0])
  })
})
