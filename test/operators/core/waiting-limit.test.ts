// Tests `waitingLimit`, a time limit that does not count the time spent waiting for an answer.
import { concat, of, throwError, timer } from 'rxjs'
import { describe, it } from 'vitest'
import { waitingLimit } from '../../../lib/operators/core/time-limits.ts'
import { marbles } from '../../../lib/testing/marbles.ts'

/** `w`: waiting; `g`: running. */
const states = { w: true, g: false }

describe('waitingLimit', () => {
  it.each([
    ['the time runs', 'g', '100ms (o|)'],
    ['it waits from the start on', 'w 499ms g', '600ms (o|)'],
    ['it waits', 'g 39ms w 499ms g', '600ms (o|)'],
    ['it waits twice', 'g 9ms w 19ms g 29ms w 29ms g', '150ms (o|)'],
    ['it waits in the last moment', 'g 98ms w 499ms g', '600ms (o|)'],
    ['it is told again what it does', 'g 9ms g 9ms w 9ms w 9ms g 9ms g', '120ms (o|)'],
    ['it waits for ever', 'g 39ms w', ''],
    ['who waits ends', 'g 39ms (g|)', '100ms (o|)'],
    ['who waits fails', 'g 39ms #', '100ms (o|)'],
    ['nothing is known', '-', '100ms (o|)'],
  ])('is over when its time has run: %s', (_, waiting, over) => {
    marbles(({ cold, expectObservable }) => {
      expectObservable(waitingLimit(100, cold(waiting, states))).toBe(over, { o: undefined })
    })
  })

  it('has no end if there is no limit, and only runs where nobody waits', () => {
    marbles(({ cold, expectObservable }) => {
      expectObservable(waitingLimit(0, cold('w', states))).toBe('')
      expectObservable(waitingLimit(0)).toBe('')
      expectObservable(waitingLimit(100)).toBe('100ms (o|)', { o: 0 })
    })
  })

  it('lets go of who waits, counts each subscription anew, and leaves no timer', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const waiting$ = cold('g', states)
      const limit$ = waitingLimit(100, waiting$)
      expectObservable(limit$, '^ 49ms !').toBe('')
      expectObservable(concat(timer(50), limit$)).toBe('50ms z 99ms (o|)', { z: 0, o: undefined })
      expectSubscriptions(waiting$.subscriptions).toBe(['^ 49ms !', '50ms ^ 99ms !'])
    })
  })

  it('is over at once if that is told within the subscription', () => {
    marbles(({ expectObservable }) => {
      expectObservable(
        waitingLimit(
          100,
          concat(
            of(true, false),
            throwError(() => new Error('gone')),
          ),
        ),
      ).toBe('100ms (o|)', { o: undefined })
    })
  })
})
