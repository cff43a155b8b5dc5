// Tests `idleLimit`, which fails if its source emits nothing for too long.
import { NEVER, concat, of, range, timer } from 'rxjs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { idleLimit, longestDelay } from '../../../lib/operators/core/time-limits.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { marbles } from '../../../lib/testing/marbles.ts'

const stalled = new Failure(
  'provider_error',
  'The provider sent no content for 0.005 s; to wait longer, raise limits.idleMs in settings.json',
  {
    data: { kind: 'stall' },
  },
)

afterEach(() => {
  vi.restoreAllMocks() // before the timers: a spy on a fake timer would put the fake one back
  vi.useRealTimers()
})

describe('idleLimit', () => {
  it.each([
    ['stalls over nothing but silence', '------', '-----#'],
    ['stalls before a value that comes too late', '----a-----b', '----a----#'],
    ['stalls before a late first value', '------a', '-----#'],
  ])('%s', (_, marble, expected) => {
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold(marble).pipe(idleLimit({ first: 5, each: 5 }))).toBe(expected, undefined, stalled)
    })
  })

  it.each([
    ['an empty stream', '--|'],
    ['one value', '--a|'],
    ['values that come in time', '----a----b----(c|)'],
    ['an error', '--#'],
    ['an error after values', '-a-#'],
  ])('passes on %s', (_, marble) => {
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold(marble).pipe(idleLimit({ first: 5, each: 5 }))).toBe(marble)
    })
  })

  it('unsubscribes its source when it stalls', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold('-a----')
      expectObservable(source$.pipe(idleLimit({ first: 5, each: 5 }))).toBe('-a----#', undefined, stalled)
      expectSubscriptions(source$.subscriptions).toBe('                      ^-----!')
    })
  })

  it('unsubscribes its source when it is unsubscribed, and does not fail afterwards', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold('-a----')
      expectObservable(source$.pipe(idleLimit({ first: 5, each: 5 })), '^---!').toBe('-a--')
      expectSubscriptions(source$.subscriptions).toBe('^---!')
    })
  })

  it('has a separate limit for the first value [LOOP-28a]', () => {
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold('9ms a 3ms b').pipe(idleLimit({ first: 10, each: 5 }))).toBe(
        '9ms a 3ms b 4ms #',
        undefined,
        stalled,
      )
      expectObservable(cold('2ms a 3ms b').pipe(idleLimit({ first: 2, each: 9 }))).toBe('2ms #', undefined, failure(2))
    })
  })

  it.each([
    [{ first: 0, each: 5 }, '1h a', '1h a 4ms #'],
    [{ first: 5, each: 0 }, 'a 1h b', 'a 1h b'],
    [{ first: 0, each: 0 }, '1h a 1h b', '1h a 1h b'],
  ])('has no limit for 0: %j', (limits, marble, expected) => {
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold(marble).pipe(idleLimit(limits))).toBe(expected, undefined, stalled)
    })
  })

  it.each([
    ['the time to the first goes on', '--s-s-s', '--s-s#', 5, 5],
    ['the time between two goes on', '-a--s--s', '-a--s-#', 5, 5],
    ['the first that counts is still to come', 's-a----s----s', 's-a----s--#', 4, 8],
  ])('passes on a value that does not count: %s', (_, marble, expected, first, each) => {
    marbles(({ cold, expectObservable }) => {
      const limited$ = cold(marble).pipe(idleLimit({ first, each, counts: (value) => value !== 's' }))
      expectObservable(limited$).toBe(expected, undefined, failure(each))
    })
  })

  it('fails with the error of `counts`, and leaves no timer', () => {
    vi.useFakeTimers()
    const counts = (): never => {
      throw new Error('broken')
    }
    const failed: unknown[] = []
    concat(of(1), NEVER)
      .pipe(idleLimit({ first: 5, each: 5, counts }))
      .subscribe({ error: (error: unknown) => failed.push(error) })
    expect([failed, vi.getTimerCount()]).toEqual([[new Error('broken')], 0])
  })

  it('starts the clock at each subscription [LOOP-28a]', () => {
    marbles(({ cold, expectObservable }) => {
      const limited$ = cold('---a|').pipe(idleLimit({ first: 5, each: 5 }))
      expectObservable(concat(timer(100), limited$, limited$)).toBe('100ms z--a---a|', { z: 0, a: 'a' })
    })
  })

  it.each([
    ['before the first value', '1s a', 'g 2ms w 996ms g', '1s a 4ms #'],
    ['between two', '-a 1s b', 'g 2ms w 996ms g', '-a 1s b 4ms #'],
    ['for longer than the limit, and then nothing comes', '-a', 'g 2ms w 996ms g', '-a 1001ms #'],
    ['while a value comes', '-a 9ms b', 'g 2ms w 20ms g', '-a 9ms b 17ms #'],
    ['for ever', '-a', 'g-w', '-a'],
  ])('pauses while a question to the user is open %s [LOOP-29b]', (_, source, requested, expected) => {
    marbles(({ cold, expectObservable }) => {
      const questionOpen$ = cold(requested, { w: true, g: false })
      expectObservable(cold(source).pipe(idleLimit({ first: 5, each: 5, questionOpen$ })), '^ 2s !').toBe(
        expected,
        undefined,
        stalled,
      )
    })
  })

  it('stands still for a question that opens before the first value, which has no limit', () => {
    marbles(({ cold, expectObservable }) => {
      const questionOpen$ = cold('g-w 9ms g', { w: true, g: false })
      const limited$ = cold('4ms a 10ms b').pipe(idleLimit({ first: 0, each: 5, questionOpen$ }))
      expectObservable(limited$).toBe('4ms a 10ms b 4ms #', undefined, stalled)
    })
  })

  it.each([longestDelay + 1, Infinity, -1, NaN])('throws bad_request for a limit of %d ms [LOOP-28b]', (limit) => {
    const refusal = expect.objectContaining({ code: 'bad_request' }) as Error
    expect(() => idleLimit({ first: limit, each: 1 })).toThrow(refusal)
    expect(() => idleLimit({ first: 1, each: limit })).toThrow(refusal)
  })

  it('accepts the longest delay of a timer', () => {
    expect(() => idleLimit({ first: longestDelay, each: longestDelay })).not.toThrow()
  })

  it('arms one timer for any number of values', () => {
    vi.useFakeTimers()
    const armed = vi.spyOn(globalThis, 'setInterval')
    concat(range(0, 10_000), NEVER)
      .pipe(idleLimit({ first: 1_000, each: 2_000 }))
      .subscribe()
    expect(armed.mock.calls.length).toBeLessThanOrEqual(2)
  })

  it.each([
    [
      'it ends',
      () =>
        of(1)
          .pipe(idleLimit({ first: 5, each: 5 }))
          .subscribe(),
    ],
    [
      'it is unsubscribed',
      () =>
        NEVER.pipe(idleLimit({ first: 5, each: 5 }))
          .subscribe()
          .unsubscribe(),
    ],
    [
      'it is unsubscribed and has no limit',
      () =>
        NEVER.pipe(idleLimit({ first: 0, each: 0 }))
          .subscribe()
          .unsubscribe(),
    ],
  ])('leaves no timer behind when %s', (_, act) => {
    vi.useFakeTimers()
    act()
    expect(vi.getTimerCount()).toBe(0)
  })
})

function failure(limit: number): Failure {
  return new Failure('provider_error', stalled.message.replace('0.005', String(limit / 1_000)), {
    data: { kind: 'stall' },
  })
}
