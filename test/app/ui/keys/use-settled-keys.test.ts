// Tests that keys of the first 300 ms are not taken as an answer.
import { TestScheduler } from 'rxjs/testing'
import { expect, it } from 'vitest'
import { ignoreFirst } from '../../../../app/ui/keys/use-settled-keys.ts'

it.each([
  ['a 298ms b c d|', '- 298ms - c d|'],
  ['-', '-'],
  ['a|', '-|'],
  ['a 400ms b#', '- 400ms b#'],
])('ignoreFirst maps %j to %j', (source, left) => {
  new TestScheduler((actual, wanted) => expect(actual).toEqual(wanted)).run(({ cold, expectObservable }) => {
    expectObservable(cold(source).pipe(ignoreFirst(300))).toBe(left)
  })
})

it('ignoreFirst unsubscribes from its source', () => {
  new TestScheduler((actual, wanted) => expect(actual).toEqual(wanted)).run(
    ({ hot, expectObservable, expectSubscriptions }) => {
      const source$ = hot('a 399ms b c')
      expectObservable(source$.pipe(ignoreFirst(300)), '^ 400ms !').toBe('- 399ms b')
      expectSubscriptions(source$.subscriptions).toBe('^ 400ms !')
    },
  )
})
