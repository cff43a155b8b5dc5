// Tests which of the loads of one content is the first, and when the others go on.
import { mergeMap, timer } from 'rxjs'
import { it } from 'vitest'
import { afterFirstLoad } from '../../../../lib/extensions/isolate/host/first-load.ts'
import { marbles } from '../../../../lib/testing/marbles.ts'

let contents = 0
/** A content that this process has not loaded yet. */
const newContent = () => ({ code: { folder: '/codes', digest: `digest ${(contents += 1)}` } })

it('two loads of a new content: the second begins when the first has loaded', () => {
  marbles(({ cold, expectObservable, expectSubscriptions }) => {
    const file = newContent()
    const [first$, second$] = [cold('---(a|)'), cold('-(b|)')]
    expectObservable(afterFirstLoad(file, first$)).toBe('---(a|)')
    expectObservable(afterFirstLoad(file, second$)).toBe('----(b|)')
    expectSubscriptions(first$.subscriptions).toBe('^--!')
    expectSubscriptions(second$.subscriptions).toBe('---^!')
  })
})

it('a content that is loaded: nothing waits', () => {
  marbles(({ cold, expectObservable }) => {
    const file = newContent()
    expectObservable(afterFirstLoad(file, cold('(a|)'))).toBe('(a|)')
    expectObservable(timer(1).pipe(mergeMap(() => afterFirstLoad(file, cold('--(b|)'))))).toBe('---(b|)')
    expectObservable(timer(2).pipe(mergeMap(() => afterFirstLoad(file, cold('--(c|)'))))).toBe('----(c|)')
  })
})

it('a first load that fails: the others go on at once, together', () => {
  marbles(({ cold, expectObservable }) => {
    const file = newContent()
    expectObservable(afterFirstLoad(file, cold('--#'))).toBe('--#')
    expectObservable(afterFirstLoad(file, cold('--#'))).toBe('----#')
    expectObservable(afterFirstLoad(file, cold('--#'))).toBe('----#')
  })
})

it('a first load that is left: another one is the first', () => {
  marbles(({ cold, expectObservable }) => {
    const file = newContent()
    expectObservable(afterFirstLoad(file, cold('------(a|)')), '^--!').toBe('----')
    expectObservable(afterFirstLoad(file, cold('--(b|)'))).toBe('-----(b|)')
    expectObservable(afterFirstLoad(file, cold('--(c|)'))).toBe('-------(c|)')
  })
})

it('other contents, and content without stored code: nothing waits', () => {
  marbles(({ cold, expectObservable }) => {
    expectObservable(afterFirstLoad(newContent(), cold('---(a|)'))).toBe('---(a|)')
    expectObservable(afterFirstLoad(newContent(), cold('--(b|)'))).toBe('--(b|)')
    expectObservable(afterFirstLoad({}, cold('--(c|)'))).toBe('--(c|)')
    expectObservable(afterFirstLoad({}, cold('--(d|)'))).toBe('--(d|)')
  })
})
