// Tests the behaviour subject whose updates are ordered for all subscribers.
import { filter, skip, take, tap, toArray } from 'rxjs'
import { describe, expect, it, vi } from 'vitest'
import { behavior } from '../../../lib/streams/rx/behavior.ts'

describe('behavior', () => {
  it('has a current value', () => {
    const { behavior$, set } = behavior(1)
    expect(behavior$.value).toBe(1)
    set(2)
    expect(behavior$.value).toBe(2)
  })

  it('emits the current value first, then each next one', () => {
    const { behavior$, set, complete } = behavior('a')
    set('b')
    const received: string[][] = []
    behavior$.pipe(toArray()).subscribe((values) => received.push(values))
    set('c')
    complete()
    expect(received).toEqual([['b', 'c']])
  })

  it('has the new value before it emits', () => {
    const { behavior$, set } = behavior(0)
    const received: boolean[] = []
    behavior$.subscribe((value) => received.push(behavior$.value === value))
    set(1)
    expect(received).toEqual([true, true])
  })

  it('emits nothing after unsubscribe', () => {
    const { behavior$, set } = behavior(0)
    const received: number[] = []
    behavior$.subscribe((value) => received.push(value)).unsubscribe()
    set(1)
    expect(received).toEqual([0])
  })

  it('ignores values after complete, and keeps the last value', () => {
    const { behavior$, set, complete } = behavior(0)
    complete()
    set(1)
    const received: unknown[] = []
    behavior$.subscribe({ next: (value) => received.push(value), complete: () => received.push('complete') })
    expect([behavior$.value, received]).toEqual([0, ['complete']])
  })

  describe('set within a subscriber', () => {
    it('emits after all subscribers got the previous value: all see one order', () => {
      const { behavior$, set, complete } = behavior(0)
      const received: string[] = []
      behavior$.subscribe((value) => {
        received.push(`A${value}`)
        if (value === 1) set(2)
        if (value === 2) set(3)
      })
      behavior$.subscribe({ next: (value) => received.push(`B${value}`), complete: () => received.push('B ends') })
      set(1)
      complete()
      expect(received).toEqual(['A0', 'B0', 'A1', 'B1', 'A2', 'B2', 'A3', 'B3', 'B ends'])
    })

    it('updates the value at once, so that counters work', () => {
      const { behavior$, set } = behavior(0)
      const received: number[] = []
      behavior$.pipe(filter((value) => value === 1)).subscribe(() => {
        set(behavior$.value + 1)
        set(behavior$.value + 1)
        received.push(behavior$.value)
      })
      behavior$.subscribe((value) => received.push(value))
      set(1)
      expect(received).toEqual([0, 3, 1, 2, 3])
    })

    it('emits the current value before the new one to a subscriber that is being subscribed', () => {
      const { behavior$, set } = behavior(0)
      const received: string[] = []
      behavior$.subscribe((value) => received.push(`A${value}`))
      behavior$.pipe(tap((value) => value === 0 && set(1))).subscribe((value) => received.push(`B${value}`))
      expect(received).toEqual(['A0', 'B0', 'A1', 'B1'])
    })

    it('emits each value once to a subscriber that subscribes during an emission: the current one, then the next', () => {
      const { behavior$, set } = behavior(0)
      const received: string[] = []
      const lateOne = (): unknown => behavior$.subscribe((value) => received.push(`late ${value}`))
      behavior$.pipe(filter((value) => value === 1)).subscribe(() => {
        set(2)
        lateOne()
      })
      set(1)
      expect(received).toEqual(['late 1', 'late 2'])
    })

    it('emits before a completion that follows it, and never after one', () => {
      const { behavior$, set, complete } = behavior(0)
      const received: unknown[] = []
      behavior$.pipe(filter((value) => value === 1)).subscribe(() => {
        set(2)
        complete()
        set(3)
      })
      behavior$.subscribe({ next: (value) => received.push(value), complete: () => received.push('end') })
      set(1)
      expect([...received, behavior$.value]).toEqual([0, 1, 2, 'end', 2])
    })

    it('continues with the next subscriber if one throws or unsubscribes', () => {
      vi.useFakeTimers() // rxjs reports a thrown error a tick later
      const { behavior$, set } = behavior(0)
      const received: number[] = []
      behavior$.pipe(filter((value) => value === 1)).subscribe(() => {
        set(2)
        throw new Error('thrown by a subscriber')
      })
      behavior$.pipe(take(2)).subscribe((value) => received.push(value))
      behavior$.pipe(skip(2)).subscribe((value) => received.push(value))
      set(1)
      expect(vi.getTimerCount()).toBe(1)
      vi.clearAllTimers()
      vi.useRealTimers()
      expect([...received, behavior$.value]).toEqual([0, 1, 2, 2])
    })
  })

  it('exposes no way to change it', () => {
    const { behavior$ } = behavior(0)
    expect('next' in behavior$).toBe(false)
    expect(() => Object.assign(behavior$, { value: 7 })).toThrow(TypeError)
  })
})
