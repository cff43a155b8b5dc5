// Tests `concatDrain`, a `concatMap` that is safe for synchronous inners.
import { Subject, concatMap, defer, from, map, of, range, take, timer } from 'rxjs'
import type { Observable, OperatorFunction } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { concatDrain } from '../../../lib/operators/core/concat-drain.ts'
import { marbles } from '../../../lib/testing/marbles.ts'

describe('concatDrain', () => {
  it('subscribes to one inner after the other, in order', () => {
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const source$ = hot('-a-b------c|')
      const inner: Record<string, ReturnType<typeof cold<string>>> = {
        a: cold('           --x-y|'),
        b: cold('                ----z|'),
        c: cold('                     -w|'),
      }
      expectObservable(source$.pipe(concatDrain((letter) => inner[letter] ?? cold('#')))).toBe('---x-y----z-w|')
      expectSubscriptions(source$.subscriptions).toBe('       ^----------!')
      expectSubscriptions(inner['a']?.subscriptions ?? []).toBe('-^----!')
      expectSubscriptions(inner['b']?.subscriptions ?? []).toBe('------^----!')
      expectSubscriptions(inner['c']?.subscriptions ?? []).toBe('-----------^-!')
    })
  })

  it.each([
    ['of a source that never emits', '---', '---'],
    ['of an empty source', '--|', '--|'],
    ['of one value', '-a|', '--x|'],
    ['of a source that never completes', '-a--', '--x-'],
  ])('%s', (_, marble, expected) => {
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold(marble).pipe(concatDrain(() => cold('-(x|)')))).toBe(
        expected === '--x|' ? '--(x|)' : expected,
      )
    })
  })

  it('waits for the last inner after its source has completed', () => {
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold('ab|').pipe(concatDrain(() => cold('---x|')))).toBe('---x---x|')
    })
  })

  it('waits for an inner that never ends', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const never$ = cold('-x-')
      const next$ = cold('y|')
      expectObservable(cold('ab|').pipe(concatDrain((letter) => (letter === 'a' ? never$ : next$)))).toBe('-x-')
      expectSubscriptions(next$.subscriptions).toBe([])
    })
  })

  it('fails at once with its source, and unsubscribes the current inner', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const inner$ = cold('---x|')
      expectObservable(cold('a-#').pipe(concatDrain(() => inner$))).toBe('--#')
      expectSubscriptions(inner$.subscriptions).toBe('^-!')
    })
  })

  it('fails with an inner, and unsubscribes the source', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold('a-b-c')
      expectObservable(source$.pipe(concatDrain((letter) => (letter === 'b' ? cold('-#') : cold('-x|'))))).toBe('-x-#')
      expectSubscriptions(source$.subscriptions).toBe('^--!')
    })
  })

  it('fails if the projection throws', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold('-a-b')
      const projected$ = source$.pipe(
        concatDrain((letter) => {
          if (letter === 'b') throw new Error('no b')
          return of(letter)
        }),
      )
      expectObservable(projected$).toBe('-a-#', undefined, new Error('no b'))
      expectSubscriptions(source$.subscriptions).toBe('^--!')
    })
  })

  it('drops waiting values and unsubscribes everything when it is unsubscribed', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold('ab---')
      const one$ = cold('  ---x|')
      const two$ = cold('  y|')
      const unsubscribed = '^-!'
      expectObservable(source$.pipe(concatDrain((letter) => (letter === 'a' ? one$ : two$))), unsubscribed).toBe('---')
      expectSubscriptions(source$.subscriptions).toBe('^-!')
      expectSubscriptions(one$.subscriptions).toBe('^-!')
      expectSubscriptions(two$.subscriptions).toBe([])
    })
  })

  it('passes the index to the projection', () => {
    const received: string[] = []
    from(['a', 'b', 'c'])
      .pipe(concatDrain((value, index) => of(`${index}${value}`)))
      .subscribe((value) => received.push(value))
    expect(received).toEqual(['0a', '1b', '2c'])
  })

  it('stops a synchronous source as soon as it is unsubscribed', () => {
    let fired = 0
    range(0, 1_000_000)
      .pipe(
        map((value) => {
          fired += 1
          return value
        }),
        concatDrain((value) => of(value)),
        take(3),
      )
      .subscribe()
    expect(fired).toBe(3)
  })

  it('queues values that arrive during a delivery behind the waiting ones', () => {
    const source$ = new Subject<string>()
    const received: string[] = []
    source$.pipe(concatDrain((value) => of(`${value}1`, `${value}2`))).subscribe((value) => {
      received.push(value)
      if (value === 'a1') source$.next('b')
    })
    source$.next('a')
    expect(received).toEqual(['a1', 'a2', 'b1', 'b2'])
  })

  it('delivers 10,000 synchronous inners', () => {
    expect(collectDrained(range(0, 10_000).pipe(concatDrain(synchronous)))).toEqual({
      values: 10_000,
      inOrder: true,
      completed: true,
    })
  })

  it('delivers 20,000 synchronous inners that waited behind an asynchronous one', () => {
    marbles(({ flush }) => {
      const values$ = range(0, 20_001).pipe(concatDrain((value) => (value === 0 ? timer(5) : synchronous(value))))
      const result = collectDrained(values$)
      expect(result.values).toBe(0)
      flush()
      expect(result).toEqual({ values: 20_001, inOrder: true, completed: true })
    })
  })
})

describe('2,000 items behind one asynchronous inner', () => {
  const inner$ = (value: number) => (value === 0 ? timer(5).pipe(map(() => 0)) : synchronous(value))
  const delivered = (operator: OperatorFunction<number, number>) =>
    marbles(({ flush }) => {
      const result = collectDrained(range(0, 2_000).pipe(operator))
      flush()
      return result
    })

  it('are all delivered by concatDrain', () => {
    expect(delivered(concatDrain(inner$))).toEqual({ values: 2_000, inOrder: true, completed: true })
  })

  it('are not by concatMap: some hundreds, then silence (docs/design/rxjs.md#1)', () => {
    const { values, inOrder, completed } = delivered(concatMap(inner$))
    expect([values > 0, values < 1_000, inOrder, completed]).toEqual([true, true, true, false])
  })
})

/** A synchronous inner: `concatMap` loses such values if 500 of them wait (docs/design/rxjs.md#1). */
function synchronous(value: number): Observable<number> {
  return defer(() => of(value)).pipe(map((same) => same))
}

function collectDrained(values$: Observable<number>) {
  const result = { values: 0, inOrder: true, completed: false }
  values$.subscribe({
    next: (value) => {
      result.inOrder &&= value === result.values
      result.values += 1
    },
    complete: () => {
      result.completed = true
    },
  })
  return result
}
