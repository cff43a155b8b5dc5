// Tests `loopWhile`, which subscribes to steps one after the other in a flat loop.
import { EMPTY, NEVER, Observable, concat, defer, of, range, take, tap, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { loopWhile } from '../../../lib/operators/core/loop-while.ts'
import { marbles } from '../../../lib/testing/marbles.ts'

/** Steps from a list, one after the other. */
function stepsOf<Value>(...steps: Observable<Value>[]): () => Observable<Value> | undefined {
  let index = 0
  return () => steps[index++]
}

describe('loopWhile', () => {
  it('subscribes to the steps one after the other', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const one$ = cold('  -a-|')
      const two$ = cold('     --b|')
      const three$ = cold('      |')
      const four$ = cold('       -c|')
      const expected = '    -a---b-c|'
      expectObservable(loopWhile(stepsOf(one$, two$, three$, four$))).toBe(expected)
      expectSubscriptions(one$.subscriptions).toBe('   ^--!')
      expectSubscriptions(two$.subscriptions).toBe('   ---^--!')
      expectSubscriptions(three$.subscriptions).toBe(' ------(^!)')
      expectSubscriptions(four$.subscriptions).toBe('  ------^-!')
    })
  })

  it('completes at once if there is no step', () => {
    marbles(({ expectObservable }) => {
      expectObservable(loopWhile(() => undefined)).toBe('|')
    })
  })

  it('continues after empty steps', () => {
    marbles(({ cold, expectObservable }) => {
      expectObservable(loopWhile(stepsOf(EMPTY, cold('a|'), EMPTY))).toBe('a|')
    })
  })

  it('waits for a step that never ends', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const never$ = cold('-a-')
      const next$ = cold('b|')
      expectObservable(loopWhile(stepsOf(never$, next$))).toBe('-a-')
      expectSubscriptions(never$.subscriptions).toBe('^')
      expectSubscriptions(next$.subscriptions).toBe([])
    })
  })

  it('fails with the first step that fails', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const failing$ = cold('-a#')
      const next$ = cold('b|')
      expectObservable(loopWhile(stepsOf(cold('-x|'), failing$, next$))).toBe('-x-a#')
      expectSubscriptions(failing$.subscriptions).toBe('--^-!')
      expectSubscriptions(next$.subscriptions).toBe([])
    })
  })

  it('fails if the call for the next step throws', () => {
    marbles(({ cold, expectObservable }) => {
      let calls = 0
      const nextStep = () => {
        if (calls++ === 1) throw new Error('no idea')
        return cold('-a|')
      }
      expectObservable(loopWhile(nextStep)).toBe('-a#', undefined, new Error('no idea'))
    })
  })

  it('fails if the call for the first step throws', () => {
    marbles(({ expectObservable }) => {
      const nextStep = () => {
        throw new Error('no idea')
      }
      expectObservable(loopWhile(nextStep)).toBe('#', undefined, new Error('no idea'))
    })
  })

  it('unsubscribes the current step and calls no other when it is unsubscribed', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const one$ = cold('  -a|')
      const two$ = cold('    -b-c|')
      const three$ = cold('d|')
      const unsubscribed = '^---!'
      expectObservable(loopWhile(stepsOf(one$, two$, three$)), unsubscribed).toBe('-a-b-')
      expectSubscriptions(two$.subscriptions).toBe('--^-!')
      expectSubscriptions(three$.subscriptions).toBe([])
    })
  })

  it('stops an endless synchronous step as soon as it is unsubscribed', () => {
    let fired = 0
    const received: number[] = []
    loopWhile(() => range(0, 1_000_000).pipe(tap(() => fired++)))
      .pipe(take(3))
      .subscribe((value) => received.push(value))
    expect([received, fired]).toEqual([[0, 1, 2], 3])
  })

  it('calls no further step if it is unsubscribed between two synchronous ones', () => {
    let calls = 0
    loopWhile(() => {
      calls += 1
      return of(calls)
    })
      .pipe(take(3))
      .subscribe()
    expect(calls).toBe(3)
  })

  it('runs a separate loop for each subscription', () => {
    const loop$ = defer(() => loopWhile(stepsOf(of(1), of(2))))
    const received: number[] = []
    loop$.subscribe((value) => received.push(value))
    loop$.subscribe((value) => received.push(value))
    expect(received).toEqual([1, 2, 1, 2])
  })

  it('runs 50,000 synchronous steps flat', () => {
    let steps = 0
    let sum = 0
    let completed = false
    loopWhile(() => (steps++ < 50_000 ? of(1) : undefined)).subscribe({
      next: (value) => (sum += value),
      complete: () => (completed = true),
    })
    expect([sum, completed]).toEqual([50_000, true])
  })

  it('runs 20,000 synchronous steps flat behind an asynchronous one, repeatedly', () => {
    marbles(({ flush }) => {
      let steps = 0
      let sum = 0
      let completed = false
      loopWhile(() => {
        steps += 1
        if (steps > 60_000) return undefined
        return steps % 20_000 === 1 ? concat(timer(5), of(1)) : of(1)
      }).subscribe({ next: (value) => (sum += value), complete: () => (completed = true) })
      flush()
      expect([sum, completed]).toEqual([60_000, true])
    })
  })

  it('retains nothing of the steps that have ended', () => {
    let alive = 0
    const step$ = new Observable<never>((subscriber) => {
      alive += 1
      subscriber.complete()
      return () => {
        alive -= 1
      }
    })
    let steps = 0
    const most: number[] = []
    const subscription = loopWhile(() => {
      most.push(alive)
      steps += 1
      return steps > 100 ? NEVER : step$
    }).subscribe()
    expect([Math.max(...most), alive]).toEqual([0, 0])
    subscription.unsubscribe()
  })
})
