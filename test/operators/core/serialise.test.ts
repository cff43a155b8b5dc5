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

  it('delivers values in one order to two subscribers that emit re-entrantly', () => {
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

  it('delivers a re-entrant value after the current delivery has returned', () => {
    const source$ = new Subject<string>()
    const emitted: string[] = []
    source$.pipe(serialise()).subscribe((value) => {
      emitted.push(`<${value}`)
      if (value === 'a') source$.next('b')
      emitted.push(`${value}>`)
    })
    source$.next('a')
    expect(emitted).toEqual(['<a', 'a>', '<b', 'b>'])
  })

  it('completes after the waiting values', () => {
    const source$ = new Subject<number>()
    const emitted: unknown[] = []
    source$.pipe(serialise()).subscribe({
      next: (value) => {
        emitted.push(value)
        if (value !== 1) return
        source$.next(2)
        source$.complete()
        emitted.push('returned')
      },
      complete: () => emitted.push('complete'),
    })
    source$.next(1)
    expect(emitted).toEqual([1, 'returned', 2, 'complete'])
  })

  it('fails after the waiting values', () => {
    const source$ = new Subject<number>()
    const emitted: unknown[] = []
    source$.pipe(serialise()).subscribe({
      next: (value) => {
        emitted.push(value)
        if (value !== 1) return
        source$.next(2)
        source$.error(new Error('sad'))
      },
      error: (error: unknown) => emitted.push(error),
    })
    source$.next(1)
    expect(emitted).toEqual([1, 2, new Error('sad')])
  })

  it('delivers each re-entrant value once', () => {
    const source$ = new Subject<number>()
    const received: number[] = []
    source$.pipe(serialise()).subscribe((value) => {
      received.push(value)
      if (value % 10 === 0) source$.next(value + 1)
    })
    for (const value of [10, 20, 30]) source$.next(value)
    expect(received).toEqual([10, 11, 20, 21, 30, 31])
  })

  it('drops waiting values when it is unsubscribed', () => {
    const source$ = new Subject<number>()
    const received: number[] = []
    source$.pipe(serialise(), take(2)).subscribe((value) => {
      received.push(value)
      if (value === 1) for (const next of [2, 3, 4]) source$.next(next)
    })
    source$.next(1)
    expect([received, source$.observed]).toEqual([[1, 2], false])
  })

  it('delivers 100,000 re-entrant values without growing the stack', () => {
    const source$ = new Subject<number>()
    let last = 0
    source$.pipe(serialise()).subscribe((value) => {
      last = value
      if (value < 100_000) source$.next(value + 1)
    })
    source$.next(1)
    expect(last).toBe(100_000)
  })

  it('delivers several re-entrant values of one delivery in order', () => {
    const source$ = new Subject<number>()
    const received: number[] = []
    source$.pipe(serialise()).subscribe((value) => {
      received.push(value)
      if (value === 0) for (let next = 1; next <= 5_000; next++) source$.next(next)
    })
    source$.next(0)
    expect(received).toEqual(Array.from({ length: 5_001 }, (_, index) => index))
  })

  it('continues to deliver after an operator below has thrown for one subscriber', () => {
    const source$ = new Subject<number>()
    const events$ = source$.pipe(serialise(), share())
    const emitted: unknown[] = []
    events$
      .pipe(
        map((value) => {
          if (value === 1) throw new Error('below')
          return value
        }),
      )
      .subscribe({ error: () => emitted.push('failed') })
    events$.subscribe((value) => emitted.push(value))
    source$.next(1)
    source$.next(2)
    expect(emitted).toEqual(['failed', 1, 2])
  })

  it('has a separate queue for each subscription', () => {
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

  it('stops a synchronous source as soon as it is unsubscribed', () => {
    let fired = 0
    const firehose$ = new Observable<number>((subscriber) => {
      while (!subscriber.closed && fired < 1_000) subscriber.next(fired++)
    })
    firehose$.pipe(serialise(), take(3)).subscribe()
    expect(fired).toBe(3)
  })
})
