// Tests `waitingLimit`, a time limit that does not count the time spent waiting for an answer.
import { concat, concatWith, NEVER, of, throwError, timer } from 'rxjs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { pausableTimer } from '../../../lib/operators/core/time-limits.ts'
import { marbles } from '../../../lib/testing/marbles.ts'

/** `w`: waiting; `g`: running. */
const states = { w: true, g: false }

afterEach(() => {
  vi.useRealTimers()
})

describe('pausableTimer', () => {
  it.each([
    ['never waiting', 'g', '100ms (o|)'],
    ['waiting from the start', 'w 499ms g', '600ms (o|)'],
    ['waiting once', 'g 39ms w 499ms g', '600ms (o|)'],
    ['waiting twice', 'g 9ms w 19ms g 29ms w 29ms g', '150ms (o|)'],
    ['waiting in the last moment', 'g 98ms w 499ms g', '600ms (o|)'],
    ['the same value twice', 'g 9ms g 9ms w 9ms w 9ms g 9ms g', '120ms (o|)'],
    ['waiting for ever', 'g 39ms w', ''],
    ['`waiting$` completes', 'g 39ms (g|)', '100ms (o|)'],
    ['`waiting$` fails', 'g 39ms #', '100ms (o|)'],
    ['`waiting$` never emits', '-', '100ms (o|)'],
  ])('runs while `waiting$` is not true: %s', (_, waiting, over) => {
    marbles(({ cold, expectObservable }) => {
      expectObservable(pausableTimer(100, cold(waiting, states))).toBe(over, { o: undefined })
    })
  })

  it('never emits without a limit, and always runs without `waiting$`', () => {
    marbles(({ cold, expectObservable }) => {
      expectObservable(pausableTimer(0, cold('w', states))).toBe('')
      expectObservable(pausableTimer(0)).toBe('')
      expectObservable(pausableTimer(100)).toBe('100ms (o|)', { o: 0 })
    })
  })

  it('unsubscribes `waiting$`, starts its time at each subscription, and leaves no timer', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const waiting$ = cold('g', states)
      const limit$ = pausableTimer(100, waiting$)
      expectObservable(limit$, '^ 49ms !').toBe('')
      expectObservable(concat(timer(50), limit$)).toBe('50ms z 99ms (o|)', { z: 0, o: undefined })
      expectSubscriptions(waiting$.subscriptions).toBe(['^ 49ms !', '50ms ^ 99ms !'])
    })
  })

  it('stops its time if `waiting$` emits within the subscription', () => {
    marbles(({ expectObservable }) => {
      expectObservable(
        pausableTimer(
          100,
          concat(
            of(true, false),
            throwError(() => new Error('gone')),
          ),
        ),
      ).toBe('100ms (o|)', { o: undefined })
    })
  })

  it.each([
    ['runs', false],
    ['stands still', true],
  ])('leaves no timer if it is unsubscribed while its time %s', (_, isWaiting) => {
    vi.useFakeTimers()
    const subscription = pausableTimer(100, of(isWaiting).pipe(concatWith(NEVER))).subscribe()
    expect(vi.getTimerCount()).toBe(isWaiting ? 0 : 1)
    subscription.unsubscribe()
    expect(vi.getTimerCount()).toBe(0)
  })
})
