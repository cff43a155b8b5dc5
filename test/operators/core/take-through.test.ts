// Tests `takeThrough`, which ends a stream with the first value that a predicate accepts.
import { Subject, range, take, tap } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { takeThrough } from '../../../lib/operators/core/take-through.ts'
import { marbles } from '../../../lib/testing/marbles.ts'

const isLast = (value: string): boolean => value === 'z'

describe('takeThrough', () => {
  it.each([
    ['never', '-', '-', '^'],
    ['an empty source', '--|', '--|', '^-!'],
    ['one value that is last', '-z-|', '-(z|)', '^!'],
    ['many values without a last one', '-a-b-|', '-a-b-|', '^----!'],
    ['many values, the last among them', '-a-z-b-z|', '-a-(z|)', '^--!'],
    ['an error before the last', '-a-#', '-a-#', '^--!'],
    ['an error after the last', '-a-z#', '-a-(z|)', '^--!'],
  ])('passes %s', (_, marble, expected, subscription) => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold(marble)
      expectObservable(source$.pipe(takeThrough(isLast))).toBe(expected)
      expectSubscriptions(source$.subscriptions).toBe(subscription)
    })
  })

  it('unsubscribes its source when it is unsubscribed', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold('-a-b-z')
      expectObservable(source$.pipe(takeThrough(isLast)), '^--!').toBe('-a-')
      expectSubscriptions(source$.subscriptions).toBe('^--!')
    })
  })

  it('unsubscribes its source before it emits the last value', () => {
    const source$ = new Subject<string>()
    const received: [string, boolean][] = []
    source$.pipe(takeThrough(isLast)).subscribe((value) => {
      received.push([value, source$.observed])
      if (value === 'z') source$.next('z') // a second end, caused by the first
    })
    source$.next('a')
    source$.next('z')
    expect(received).toEqual([
      ['a', true],
      ['z', false],
    ])
  })

  it('stops a synchronous firehose at the last value, and with its subscriber', () => {
    let fired = 0
    const counted$ = range(0, 1_000).pipe(tap(() => fired++))
    counted$.pipe(takeThrough((value) => value === 4)).subscribe()
    expect(fired).toBe(5)
    counted$
      .pipe(
        takeThrough(() => false),
        take(3),
      )
      .subscribe()
    expect(fired).toBe(8)
  })

  it('fails with the error of its predicate, and unsubscribes its source', () => {
    const source$ = new Subject<string>()
    const errors: unknown[] = []
    const broken = (): never => {
      throw new Error('broken')
    }
    source$.pipe(takeThrough(broken)).subscribe({ error: (error: unknown) => errors.push(error) })
    source$.next('a')
    expect([errors, source$.observed]).toEqual([[new Error('broken')], false])
  })
})
