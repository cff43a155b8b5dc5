import { toArray } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { behavior } from '../../lib/streams/behavior.ts'

describe('behavior', () => {
  it('has a value now', () => {
    const { behavior$, set } = behavior(1)
    expect(behavior$.value).toBe(1)
    set(2)
    expect(behavior$.value).toBe(2)
  })

  it('tells the present value first, then each next one', () => {
    const { behavior$, set, complete } = behavior('a')
    set('b')
    const seen: string[][] = []
    behavior$.pipe(toArray()).subscribe((values) => seen.push(values))
    set('c')
    complete()
    expect(seen).toEqual([['b', 'c']])
  })

  it('has its new value before it tells', () => {
    const { behavior$, set } = behavior(0)
    const seen: boolean[] = []
    behavior$.subscribe((value) => seen.push(behavior$.value === value))
    set(1)
    expect(seen).toEqual([true, true])
  })

  it('tells nothing after unsubscribe', () => {
    const { behavior$, set } = behavior(0)
    const seen: number[] = []
    behavior$.subscribe((value) => seen.push(value)).unsubscribe()
    set(1)
    expect(seen).toEqual([0])
  })

  it('does nothing after complete, and keeps its last value', () => {
    const { behavior$, set, complete } = behavior(0)
    complete()
    set(1)
    const seen: unknown[] = []
    behavior$.subscribe({ next: (value) => seen.push(value), complete: () => seen.push('complete') })
    expect([behavior$.value, seen]).toEqual([0, ['complete']])
  })

  it('hands out no way to change it', () => {
    const { behavior$ } = behavior(0)
    expect('next' in behavior$).toBe(false)
    expect(() => Object.assign(behavior$, { value: 7 })).toThrow(TypeError)
  })
})
