// Tests `serialise`, which shows every subscriber the values in one order.
import { Observable, Subject, map, share, take } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { serialise } from '../../../lib/operators/core/serialise.ts'
import { marbles } from '../../../lib/testing/marbles.ts'

describe('serialise', () => {
  it.each(['-', '|', '-a|', '-a-b-c|', '(abc|)', '-a-#', '#'])('passes %s on as it is', (marble) => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold(marble)
      expectObservable(source$.pipe(serialise())).toBe(marble)
      const end = { '-': '^', '|': '(^!)', '#': '(^!)', '-a|': '^-!', '-a-b-c|': '^-----!', '-a-#': '^--!' }[marble]
      if (end !== undefined) expectSubscriptions(source$.subscriptions).toBe(end)
    })
  })

  it('unsubscribes its source when it is unsubscribed', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold('-a-b-c|')
      expectObservable(source$.pipe(serialise()), '^--!').toBe('-a-')
      expectSubscriptions(source$.subscriptions).toBe('^--!')
    })
  })

  it('shows two subscribers one order, whatever they cause', () => {
    const source$ = new Subject<number>()
    const events$ = source$.pipe(serialise(), share())
    const [one, two]: [number[], number[]] = [[], []]
    events$.subscribe((value) => {
      one.push(value)
      if (value === 1) source$.next(2)
      if (value === 2) source$.next(4)
    })
    events$.subscribe((value) => {
      two.push(value)
      if (value === 1) source$.next(3)
    })
    source$.next(1)
    expect([one, two]).toEqual([
      [1, 2, 3, 4],
      [1, 2, 3, 4],
    ])
  })

  it('delivers what is caused when the delivery that causes it has returned', () => {
    const source$ = new Subject<string>()
    const told: string[] = []
    source$.pipe(serialise()).subscribe((value) => {
      told.push(`<${value}`)
      if (value === 'a') source$.next('b')
      told.push(`${value}>`)
    })
    source$.next('a')
    expect(told).toEqual(['<a', 'a>', '<b', 'b>'])
  })

  it('keeps completion behind what waits', () => {
    const source$ = new Subject<number>()
    const told: unknown[] = []
    source$.pipe(serialise()).subscribe({
      next: (value) => {
        told.push(value)
        if (value !== 1) return
        source$.next(2)
        source$.complete()
        told.push('returned')
      },
      complete: () => told.push('complete'),
    })
    source$.next(1)
    expect(told).toEqual([1, 'returned', 2, 'complete'])
  })

  it('keeps an error behind what waits', () => {
    const source$ = new Subject<number>()
    const told: unknown[] = []
    source$.pipe(serialise()).subscribe({
      next: (value) => {
        told.push(value)
        if (value !== 1) return
        source$.next(2)
        source$.error(new Error('sad'))
      },
      error: (error: unknown) => told.push(error),
    })
    source$.next(1)
    expect(told).toEqual([1, 2, new Error('sad')])
  })

  it('delivers what was caused once, however often something is caused again', () => {
    const source$ = new Subject<number>()
    const seen: number[] = []
    source$.pipe(serialise()).subscribe((value) => {
      seen.push(value)
      if (value % 10 === 0) source$.next(value + 1)
    })
    for (const value of [10, 20, 30]) source$.next(value)
    expect(seen).toEqual([10, 11, 20, 21, 30, 31])
  })

  it('drops waiting values when it is unsubscribed', () => {
    const source$ = new Subject<number>()
    const seen: number[] = []
    source$.pipe(serialise(), take(2)).subscribe((value) => {
      seen.push(value)
      if (value === 1) for (const next of [2, 3, 4]) source$.next(next)
    })
    source$.next(1)
    expect([seen, source$.observed]).toEqual([[1, 2], false])
  })

  it('bears an endless echo of 100,000 without growing the stack', () => {
    const source$ = new Subject<number>()
    let last = 0
    source$.pipe(serialise()).subscribe((value) => {
      last = value
      if (value < 100_000) source$.next(value + 1)
    })
    source$.next(1)
    expect(last).toBe(100_000)
  })

  it('delivers a burst that is caused by one value in order', () => {
    const source$ = new Subject<number>()
    const seen: number[] = []
    source$.pipe(serialise()).subscribe((value) => {
      seen.push(value)
      if (value === 0) for (let next = 1; next <= 5_000; next++) source$.next(next)
    })
    source$.next(0)
    expect(seen).toEqual(Array.from({ length: 5_001 }, (_, index) => index))
  })

  it('delivers again after an operator below has thrown for one subscriber', () => {
    const source$ = new Subject<number>()
    const events$ = source$.pipe(serialise(), share())
    const told: unknown[] = []
    events$
      .pipe(
        map((value) => {
          if (value === 1) throw new Error('below')
          return value
        }),
      )
      .subscribe({ error: () => told.push('failed') })
    events$.subscribe((value) => told.push(value))
    source$.next(1)
    source$.next(2)
    expect(told).toEqual(['failed', 1, 2])
  })

  it('has a queue for each subscription: who is to see one order shares it', () => {
    const source$ = new Subject<number>()
    const ordered$ = source$.pipe(serialise())
    const [one, two]: [number[], number[]] = [[], []]
    ordered$.subscribe((value) => {
      one.push(value)
      if (value === 1) source$.next(2)
    })
    ordered$.subscribe((value) => two.push(value))
    source$.next(1)
    expect([one, two]).toEqual([
      [1, 2],
      [2, 1],
    ])
  })

  it('stops a synchronous source as soon as it has no subscriber', () => {
    let fired = 0
    const firehose$ = new Observable<number>((subscriber) => {
      while (!subscriber.closed && fired < 1_000) subscriber.next(fired++)
    })
    firehose$.pipe(serialise(), take(3)).subscribe()
    expect(fired).toBe(3)
  })
})
