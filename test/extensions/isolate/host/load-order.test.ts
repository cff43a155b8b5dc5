// Tests which load of a content is the first, when the others go on, and how many there are at a time.
import { mergeMap, of, timer } from 'rxjs'
import { it } from 'vitest'
import { loadOrder } from '../../../../lib/extensions/isolate/host/load-order.ts'
import { marbles } from '../../../../lib/testing/marbles.ts'

const content = (digest: string) => ({ code: { folder: '/codes', digest } })
const file = content('one')

it('two loads of a new content: the second begins when the first has loaded', () => {
  marbles(({ cold, expectObservable, expectSubscriptions }) => {
    const inOrder = loadOrder({ atMost: 9 })
    const [first$, second$] = [cold('---(a|)'), cold('-(b|)')]
    expectObservable(inOrder(file, first$)).toBe('---(a|)')
    expectObservable(inOrder(file, second$)).toBe('----(b|)')
    expectSubscriptions(first$.subscriptions).toBe('^--!')
    expectSubscriptions(second$.subscriptions).toBe('---^!')
  })
})

it('a content that is loaded: nothing waits', () => {
  marbles(({ cold, expectObservable }) => {
    const inOrder = loadOrder({ atMost: 9 })
    expectObservable(inOrder(file, cold('(a|)'))).toBe('(a|)')
    expectObservable(timer(1).pipe(mergeMap(() => inOrder(file, cold('--(b|)'))))).toBe('---(b|)')
    expectObservable(timer(2).pipe(mergeMap(() => inOrder(file, cold('--(c|)'))))).toBe('----(c|)')
  })
})

it('a first load that fails: the others go on at once, together', () => {
  marbles(({ cold, expectObservable }) => {
    const inOrder = loadOrder({ atMost: 9 })
    expectObservable(inOrder(file, cold('--#'))).toBe('--#')
    expectObservable(inOrder(file, cold('--#'))).toBe('----#')
    expectObservable(inOrder(file, cold('--#'))).toBe('----#')
  })
})

it('a first load that is left: another one is the first', () => {
  marbles(({ cold, expectObservable }) => {
    const inOrder = loadOrder({ atMost: 9 })
    expectObservable(inOrder(file, cold('------(a|)')), '^--!').toBe('----')
    expectObservable(inOrder(file, cold('--(b|)'))).toBe('-----(b|)')
    expectObservable(inOrder(file, cold('--(c|)'))).toBe('-------(c|)')
  })
})

it('other contents, and content without stored code: nothing waits', () => {
  marbles(({ cold, expectObservable }) => {
    const inOrder = loadOrder({ atMost: 9 })
    expectObservable(inOrder(content('one'), cold('---(a|)'))).toBe('---(a|)')
    expectObservable(inOrder(content('two'), cold('--(b|)'))).toBe('--(b|)')
    expectObservable(inOrder({}, cold('--(c|)'))).toBe('--(c|)')
    expectObservable(inOrder({}, cold('--(d|)'))).toBe('--(d|)')
  })
})

it('loads at a time: the others wait for their turn, and one that is left gives up its own', () => {
  marbles(({ cold, expectObservable, expectSubscriptions }) => {
    const inOrder = loadOrder({ atMost: 2 })
    const third$ = cold('--(c|)')
    expectObservable(inOrder({}, cold('---(a|)'))).toBe('---(a|)')
    expectObservable(inOrder({}, cold('-----#'))).toBe('-----#')
    expectObservable(inOrder({}, third$)).toBe('-----(c|)')
    expectObservable(inOrder({}, cold('--(d|)')), '-!').toBe('')
    expectObservable(inOrder({}, cold('--(e|)'))).toBe('-------(e|)')
    expectSubscriptions(third$.subscriptions).toBe('---^-!')
  })
})

it('a load that ends at once, and one that takes longer than a turn: the next one begins', () => {
  marbles(({ cold, expectObservable }) => {
    const inOrder = loadOrder({ atMost: 1, turnMs: 4 })
    expectObservable(inOrder({}, of('a'))).toBe('(a|)')
    expectObservable(inOrder({}, cold('---------(b|)'))).toBe('---------(b|)')
    expectObservable(inOrder({}, cold('--(c|)'))).toBe('------(c|)')
    expectObservable(inOrder({}, cold('--(d|)'))).toBe('--------(d|)')
  })
})
