// Tests `retryRequest`: which failures it retries, how often, and how long it waits.
import { NEVER, concat, defer, of, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { retryRequest } from '../../../lib/operators/request/retry-request.ts'
import type { RetryOptions } from '../../../lib/operators/ports/run-ports.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import type { ProviderFailureKind } from '../../../lib/streams/values/failure.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { timeline } from '../../../lib/testing/timeline.ts'
import { done, text, steady, failWith, nameOf } from './retry-request-scene.ts'

/** The timeline of a request with these attempts: `r2@1000` is the retry to attempt 2 after a second, `d` is done. */
function playAttempts(attempts: readonly Observable<AssistantDelta>[], options: RetryOptions = steady): string {
  return timeline(
    defer(() => retryRequest((number) => attempts[number - 1] ?? NEVER, options)),
    { name: nameOf, until: 1_000_000 },
  )
}

afterEach(() => {
  vi.useRealTimers()
})

describe('retryRequest', () => {
  it('passes an answer without a failure on', () => {
    expect(playAttempts([of(text, done)])).toBe('0:td|')
    expect(playAttempts([of()])).toBe('0:|')
    expect(playAttempts([NEVER])).toBe('')
  })

  it('tries three times with longer waits, then passes the failure on [LOOP-28e]', () => {
    expect(playAttempts([failWith('network'), failWith('early_end'), failWith('stall'), of(done)])).toBe(
      '0:r2@1000 1000:r3@2000 3000:#',
    )
  })

  it('continues with the attempt that succeeds', () => {
    expect(playAttempts([failWith('network'), of(text, done)])).toBe('0:r2@1000 1000:td|')
  })

  it('emits number, wait, kind and message of each retry [LOOP-28f, EVENT-retry]', () => {
    marbles(({ expectObservable }) => {
      const retried$ = retryRequest(
        (number) => (number === 1 ? failWith('rate_limit', { status: 429 }) : of(done)),
        steady,
      )
      const retry = { type: 'auto_retry', attempt: 2, delayMs: 1_000, kind: 'rate_limit', message: 'it was rate_limit' }
      expectObservable(retried$).toBe('r 999ms (d|)', { r: retry, d: done })
    })
  })

  it.each<ProviderFailureKind>(['rate_limit', 'overloaded', 'network', 'stall', 'early_end'])(
    'retries after %s [LOOP-28g]',
    (kind) => {
      expect(playAttempts([failWith(kind), of(done)])).toBe('0:r2@1000 1000:d|')
    },
  )

  it.each<ProviderFailureKind>(['auth', 'bad_request', 'context_overflow', 'refused'])(
    'never retries after %s [LOOP-28h]',
    (kind) => {
      expect(playAttempts([failWith(kind), of(done)])).toBe('0:#')
    },
  )

  it('never retries after a failure without kind, or after an error that is no Failure', () => {
    expect(playAttempts([failWith(undefined), of(done)])).toBe('0:#')
    expect(playAttempts([throwError(() => new TypeError('an internal failure')), of(done)])).toBe('0:#')
  })

  it('never retries after something was visible [LOOP-28c]', () => {
    expect(playAttempts([concat(of(text), failWith('network')), of(done)])).toBe('0:t#')
    const billed$ = of<AssistantDelta[]>(text, { type: 'usage', usage: noUsage })
    expect(playAttempts([concat(billed$, failWith('network')), of(done)])).toBe('0:tu#')
  })

  it('retries after start and usage, which are not visible', () => {
    const unseen$ = of<AssistantDelta[]>({ type: 'start' }, { type: 'usage', usage: noUsage })
    expect(playAttempts([concat(unseen$, failWith('network')), of(done)])).toBe('0:s,u,r2@1000 1000:d|')
  })

  it('decides about visibility for each attempt alone', () => {
    const second$ = concat(of(text), failWith('network'))
    expect(playAttempts([failWith('network'), second$, of(done)])).toBe('0:r2@1000 1000:t#')
  })

  it('waits as long as the provider requires [LOOP-28d]', () => {
    expect(playAttempts([failWith('rate_limit', { retryAfterMs: 7_500 }), of(done)])).toBe('0:r2@7500 7500:d|')
    expect(playAttempts([failWith('rate_limit', { retryAfterMs: 0 }), of(done)])).toBe('0:r2@0,d,|')
  })

  it('gives up if the provider requires more than the longest wait [LOOP-28d]', () => {
    expect(playAttempts([failWith('network', { retryAfterMs: 60_000 }), of(done)])).toBe('0:r2@60000 60000:d|')
    expect(playAttempts([failWith('network', { retryAfterMs: 60_001 }), of(done)])).toBe('0:#')
  })

  it.each([-5, NaN])('backs off as usual if the provider requires %d ms, which is not valid JSON', (retryAfterMs) => {
    expect(playAttempts([failWith('rate_limit', { retryAfterMs }), of(done)])).toBe('0:r2@1000 1000:d|')
  })

  it('limits the wait to the longest delay of a timer', () => {
    const options = { maxDelayMs: Infinity }
    expect(playAttempts([failWith('rate_limit', { retryAfterMs: 2 ** 31 }), of(done)], options)).toBe('0:#')
    expect(playAttempts([failWith('network'), of(done)], { ...options, baseDelayMs: 2 ** 40 })).toBe('0:r2@2147483647')
  })

  it('doubles the wait up to its cap [LOOP-28e]', () => {
    const attempts = Array.from({ length: 9 }, () => failWith('network'))
    const waits = playAttempts(attempts, { ...steady, attempts: 9 }).match(/(?<=@)\d+/g)
    expect(waits?.map(Number)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
  })

  it('spreads the wait by a quarter at most, and never above the cap [LOOP-28e]', () => {
    const waits = (jitter: number) =>
      playAttempts([failWith('network'), failWith('network')], {
        baseDelayMs: 1_000,
        maxDelayMs: 2_100,
        jitter: () => jitter,
      }).match(/(?<=@)\d+/g)
    expect(waits(0.5)?.map(Number)).toEqual([1_125, 2_100])
    expect(waits(0.999)?.[0]).toBe('1250')
  })

  it('uses random jitter by default', () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.4)
    expect(playAttempts([failWith('network'), of(done)], {})).toBe('0:r2@1100 1100:d|')
  })

  it('makes as many attempts as the option allows', () => {
    expect(playAttempts([failWith('network'), of(done)], { ...steady, attempts: 1 })).toBe('0:#')
  })

  it('unsubscribes the attempt when it is unsubscribed', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const attempt$ = cold<AssistantDelta>('--t', { t: text })
      expectObservable(
        retryRequest(() => attempt$, steady),
        '^---!',
      ).toBe('--t', { t: text })
      expectSubscriptions(attempt$.subscriptions).toBe('              ^---!')
    })
  })

  it('ends its wait when it is unsubscribed: no further attempt, no timer', () => {
    vi.useFakeTimers()
    let attempts = 0
    const subscription = retryRequest(() => {
      attempts += 1
      return failWith('network')
    }, steady).subscribe()
    expect(vi.getTimerCount()).toBe(1)
    subscription.unsubscribe()
    vi.advanceTimersByTime(100_000)
    expect([attempts, vi.getTimerCount()]).toEqual([1, 0])
  })

  it('makes its first attempt at each subscription', () => {
    let attempts = 0
    const request$ = retryRequest(() => defer(() => of({ ...done, attempts: ++attempts })), steady)
    expect(attempts).toBe(0)
    request$.subscribe()
    request$.subscribe()
    expect(attempts).toBe(2)
  })

  it('fails if an attempt throws', () => {
    marbles(({ expectObservable }) => {
      const broken$ = retryRequest(() => {
        throw new Error('broken')
      }, steady)
      expectObservable(broken$).toBe('#', undefined, new Error('broken'))
    })
  })
})
