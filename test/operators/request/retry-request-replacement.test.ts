// Tests `retryRequest` with a replacement stream, and several requests one after the other.
import { NEVER, concat, defer, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { retryRequest } from '../../../lib/operators/request/retry-request.ts'
import type { RetryOptions } from '../../../lib/operators/ports/run-ports.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { timeline } from '../../../lib/testing/timeline.ts'
import { done, text, steady, failWith, nameOf } from './retry-request-scene.ts'

afterEach(() => {
  vi.useRealTimers()
})

describe('retryRequest with a replacement', () => {
  const other: AssistantDelta = { type: 'usage', usage: noUsage }
  /** `instead` emits `u`; the messages of the failures that it received stand before the timeline. */
  function turned(attempts: readonly Observable<AssistantDelta>[], options: RetryOptions = steady): string {
    const calls: string[] = []
    const line = timeline(
      defer(() =>
        retryRequest(
          (number) => attempts[number - 1] ?? NEVER,
          { ...options, hasFallback: true },
          (failure) => {
            calls.push(failure.message)
            return failure.data.kind === 'refused' ? undefined : of(other)
          },
        ),
      ),
      { name: nameOf, until: 1_000_000 },
    )
    return [...calls, line].join(', ')
  }

  it('subscribes to it when the attempts are over, with the last failure', () => {
    const all = [failWith('network'), failWith('stall'), failWith('overloaded')]
    expect(turned(all)).toBe('it was overloaded, 0:r2@1000 1000:r3@2000 3000:u|')
  })

  it('subscribes to it at once if a retry is pointless', () => {
    expect(turned([failWith('auth')])).toBe('it was auth, 0:u|')
    expect(turned([failWith('rate_limit', { retryAfterMs: 60_001 })])).toBe('it was rate_limit, 0:u|')
  })

  it('passes the failure on if there is no replacement', () => {
    expect(turned([failWith('refused')])).toBe('it was refused, 0:#')
  })

  it('does not request it while there are attempts, after something was visible, or after an answer', () => {
    expect(turned([failWith('network'), of(done)])).toBe('0:r2@1000 1000:d|')
    expect(turned([concat(of(text), failWith('network'))])).toBe('0:t#')
    expect(turned([of(text, done)])).toBe('0:td|')
  })

  it('fails if it throws', () => {
    marbles(({ expectObservable }) => {
      const broken$ = retryRequest(
        () => failWith('auth'),
        steady,
        () => {
          throw new Error('broken')
        },
      )
      expectObservable(broken$).toBe('#', undefined, new Error('broken'))
    })
  })

  it('unsubscribes it when it is unsubscribed', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const other$ = cold<AssistantDelta>('--t', { t: text })
      expectObservable(
        retryRequest(
          () => failWith('auth'),
          steady,
          () => other$,
        ),
        '^---!',
      ).toBe('--t', { t: text })
      expectSubscriptions(other$.subscriptions).toBe('^---!')
    })
  })
})

describe('retryRequest with other keys', () => {
  const otherKey = { from: 'the first', to: 'the second', keys: 3 }

  it('repeats the attempt at once with another key, with an event', () => {
    marbles(({ expectObservable }) => {
      let times = 0
      const retried$ = retryRequest(
        () => (times++ === 0 ? failWith('rate_limit', { otherKey, retryAfterMs: 90_000 }) : of(done)),
        steady,
      )
      const [from, to] = ['the first', 'the second']
      const emitted = {
        type: 'auto_retry',
        attempt: 1,
        delayMs: 0,
        kind: 'rate_limit',
        from,
        to,
        message: 'it was rate_limit',
      }
      expectObservable(retried$).toBe('(rd|)', { r: emitted, d: done })
    })
  })

  it('changes the key also after a refused key, which is not retried', () => {
    expect(calls([failWith('auth', { otherKey }), of(done)])).toBe('0:r1@0,d,|')
  })

  it('changes the key in one attempt at most as often as there are other keys', () => {
    const limited$ = failWith('rate_limit', { otherKey })
    expect(calls(Array.from({ length: 20 }, () => limited$))).toBe(
      '0:r1@0,r1@0,r2@1000 1000:r2@0,r2@0,r3@2000 3000:r3@0,r3@0,#',
    )
  })

  it('does not change the key after something was visible', () => {
    expect(calls([concat(of(text), failWith('rate_limit', { otherKey })), of(done)])).toBe('0:t#')
  })

  /** Subscribes to the requests in order, across attempts. */
  function calls(requests: readonly Observable<AssistantDelta>[]): string {
    let next = 0
    return timeline(
      defer(() => retryRequest(() => requests[next++] ?? NEVER, steady)),
      { name: nameOf, until: 1_000_000 },
    )
  }
})
