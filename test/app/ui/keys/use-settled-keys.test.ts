// Tests that keys which were meant for something else are not taken as an answer.
import { TestScheduler } from 'rxjs/testing'
import { Subject } from 'rxjs'
import { afterEach, expect, it, vi } from 'vitest'
import { ignoreTypedOn } from '../../../../app/ui/keys/use-settled-keys.ts'

afterEach(() => {
  vi.useRealTimers()
})

it.each([
  ['299ms b|', '299ms -|'],
  ['300ms b c|', '300ms b c|'],
  ['a 298ms b 298ms c 299ms d|', '- 298ms - 298ms - 299ms -|'],
  ['a 298ms b 300ms c d|', '- 298ms - 300ms c d|'],
  ['-', '-'],
  ['a|', '-|'],
  ['a 400ms b#', '- 400ms b#'],
])('ignoreTypedOn maps %j to %j', (source, left) => {
  new TestScheduler((actual, wanted) => expect(actual).toEqual(wanted)).run(({ cold, expectObservable }) => {
    expectObservable(cold(source).pipe(ignoreTypedOn(300))).toBe(left)
  })
})

it('ignoreTypedOn unsubscribes from its source', () => {
  new TestScheduler((actual, wanted) => expect(actual).toEqual(wanted)).run(
    ({ hot, expectObservable, expectSubscriptions }) => {
      const source$ = hot('a 399ms b c')
      expectObservable(source$.pipe(ignoreTypedOn(300)), '^ 400ms !').toBe('- 399ms b')
      expectSubscriptions(source$.subscriptions).toBe('^ 400ms !')
    },
  )
})

it('ignoreTypedOn waits no longer if the clock is set back meanwhile', () => {
  vi.useFakeTimers()
  const [keys$, passed] = [new Subject<string>(), [] as string[]]
  keys$.pipe(ignoreTypedOn(300)).subscribe((key) => passed.push(key))
  vi.advanceTimersByTime(200)
  keys$.next('a')
  vi.setSystemTime(Date.now() - 5 * 3_600_000)
  vi.advanceTimersByTime(301)
  keys$.next('b')
  expect(passed).toEqual(['b'])
})
