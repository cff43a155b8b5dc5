// Tests which load of a content is the first, when the others go on, and how many there are at a time.
import { mergeMap, of, timer } from 'rxjs'
import { it } from 'vitest'
import { loadOrder } from '../../../../lib/extensions/isolate/host/load-order.ts'
import { marbles } from '../../../../lib/testing/marbles.ts'

const content = (digest: string) => ({ code: { folder: '/codes', digest } })
const file = content('one')

it('two loads of a new content: the second begins when the first has loaded', () => {
  marbles(({ cold, expectObservable, expectSubscriptions }) => {
    const order = loadOrder({ atMost: 9 })
    const [first$, second$] = [cold('---(a|)'), cold('-(b|)')]
    expectObservable(order.wait(file, first$)).toBe('---(a|)')
    expectObservable(order.wait(file, second$)).toBe('----(b|)')
    expectSubscriptions(first$.subscriptions).toBe('^--!')
    expectSubscriptions(second$.subscriptions).toBe('---^!')
  })
})

it('a content that is loaded: nothing waits', () => {
  marbles(({ cold, expectObservable }) => {
    const order = loadOrder({ atMost: 9 })
    expectObservable(order.wait(file, cold('(a|)'))).toBe('(a|)')
    expectObservable(timer(1).pipe(mergeMap(() => order.wait(file, cold('--(b|)'))))).toBe('---(b|)')
    expectObservable(timer(2).pipe(mergeMap(() => order.wait(file, cold('--(c|)'))))).toBe('----(c|)')
  })
})

it('a first load that fails: the others go on at once, together', () => {
  marbles(({ cold, expectObservable }) => {
    const order = loadOrder({ atMost: 9 })
    expectObservable(order.wait(file, cold('--#'))).toBe('--#')
    expectObservable(order.wait(file, cold('--#'))).toBe('----#')
    expectObservable(order.wait(file, cold('--#'))).toBe('----#')
  })
})

it('a first load that is left: another one is the first', () => {
  marbles(({ cold, expectObservable }) => {
    const order = loadOrder({ atMost: 9 })
    expectObservable(order.wait(file, cold('------(a|)')), '^--!').toBe('----')
    expectObservable(order.wait(file, cold('--(b|)'))).toBe('-----(b|)')
    expectObservable(order.wait(file, cold('--(c|)'))).toBe('-------(c|)')
  })
})

it('other contents, and content without stored code: nothing waits', () => {
  marbles(({ cold, expectObservable }) => {
    const order = loadOrder({ atMost: 9 })
    expectObservable(order.wait(content('one'), cold('---(a|)'))).toBe('---(a|)')
    expectObservable(order.wait(content('two'), cold('--(b|)'))).toBe('--(b|)')
    expectObservable(order.wait({}, cold('--(c|)'))).toBe('--(c|)')
    expectObservable(order.wait({}, cold('--(d|)'))).toBe('--(d|)')
  })
})

it('loads at a time: the others wait for their turn, and one that is left gives up its own', () => {
  marbles(({ cold, expectObservable, expectSubscriptions }) => {
    const order = loadOrder({ atMost: 2 })
    const third$ = cold('--(c|)')
    expectObservable(order.wait({}, cold('---(a|)'))).toBe('---(a|)')
    expectObservable(order.wait({}, cold('-----#'))).toBe('-----#')
    expectObservable(order.wait({}, third$)).toBe('-----(c|)')
    expectObservable(order.wait({}, cold('--(d|)')), '-!').toBe('')
    expectObservable(order.wait({}, cold('--(e|)'))).toBe('-------(e|)')
    expectSubscriptions(third$.subscriptions).toBe('---^-!')
  })
})

it('a load that ends at once, and one that takes longer than a turn: the next one begins', () => {
  marbles(({ cold, expectObservable }) => {
    const order = loadOrder({ atMost: 1, turnMs: 4 })
    expectObservable(order.wait({}, of('a'))).toBe('(a|)')
    expectObservable(order.wait({}, cold('---------(b|)'))).toBe('---------(b|)')
    expectObservable(order.wait({}, cold('--(c|)'))).toBe('------(c|)')
    expectObservable(order.wait({}, cold('--(d|)'))).toBe('--------(d|)')
  })
})
