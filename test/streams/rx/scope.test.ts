// Tests the scope that ends its bound subscriptions and finishers.
import { describe, expect, it } from 'vitest'
import { scope } from '../../../lib/streams/rx/scope.ts'
import { marbles } from '../../../lib/testing/marbles.ts'

describe('scope', () => {
  it('ends the subscriptions that are bound to it', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const life = scope()
      cold('---e').subscribe(() => {
        life.end()
      })
      const source$ = cold('-a-b-c')
      expectObservable(source$.pipe(life.bind())).toBe('-a-|')
      expectSubscriptions(source$.subscriptions).toBe('^--!')
    })
  })

  it('allows a source to end before it', () => {
    marbles(({ cold, expectObservable }) => {
      const life = scope()
      expectObservable(cold('-a|').pipe(life.bind())).toBe('-a|')
      expectObservable(cold('-#').pipe(life.bind())).toBe('-#')
      expectObservable(cold('-').pipe(life.bind())).toBe('-')
      expectObservable(cold('|').pipe(life.bind())).toBe('|')
    })
  })

  it('subscribes nothing after its end', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const life = scope()
      life.end()
      const source$ = cold('-a-b')
      expectObservable(source$.pipe(life.bind())).toBe('|')
      expectSubscriptions(source$.subscriptions).toBe([])
      expectObservable(life.end$).toBe('(e|)', { e: undefined })
    })
  })

  it('runs finishers newest first, once', () => {
    const life = scope()
    const emitted: string[] = []
    life.onEnd(() => emitted.push('first'))
    life.onEnd(() => emitted.push('second'))
    life.end$.subscribe(() => emitted.push('end'))
    life.end()
    life.end()
    expect(emitted).toEqual(['second', 'first', 'end'])
    expect(life.ended).toBe(true)
  })

  it('runs a finisher at once if it is added after the end', () => {
    const life = scope()
    life.end()
    const emitted: string[] = []
    life.onEnd(() => emitted.push('late'))
    expect(emitted).toEqual(['late'])
  })

  it('has ended before its finishers run', () => {
    const life = scope()
    const emitted: unknown[] = []
    life.onEnd(() => {
      emitted.push(life.ended)
      life.end()
      life.onEnd(() => emitted.push('at once'))
    })
    life.end()
    expect(emitted).toEqual([true, 'at once'])
  })

  it('runs all finishers, emits its end, then rethrows the first throw', () => {
    const life = scope()
    const emitted: string[] = []
    life.onEnd(() => emitted.push('last'))
    life.onEnd(() => {
      throw new Error('second')
    })
    life.onEnd(() => {
      throw new Error('first')
    })
    life.end$.subscribe(() => emitted.push('end'))
    expect(() => {
      life.end()
    }).toThrow('first')
    expect(emitted).toEqual(['last', 'end'])
  })

  it('ends its children, and a child by itself', () => {
    const parent = scope()
    const [one, two] = [parent.child(), parent.child()]
    one.end()
    expect([one.ended, parent.ended, two.ended]).toEqual([true, false, false])
    parent.end()
    expect(two.ended).toBe(true)
    expect(parent.child().ended).toBe(true)
  })

  it('drops a child that has ended', () => {
    const parent = scope()
    const emitted: string[] = []
    const child = parent.child()
    child.onEnd(() => emitted.push('child'))
    child.end()
    child.end = () => emitted.push('ended again')
    parent.end()
    expect(emitted).toEqual(['child'])
  })
})
