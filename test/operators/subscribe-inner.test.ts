import { Observable, Subject, defer, of, range, take, tap } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { subscribeInner } from '../../lib/operators/subscribe-inner.ts'
import type { InnerHandlers } from '../../lib/operators/subscribe-inner.ts'
import { marbles } from '../../lib/testing/marbles.ts'

/** The source as it passes through a hand-written operator with these handlers. */
function through<Value>(
  source$: Observable<Value>,
  handlers: (next: (value: Value) => void) => InnerHandlers<Value>,
): Observable<Value> {
  return new Observable<Value>((subscriber) => {
    subscribeInner(
      source$,
      subscriber,
      handlers((value) => {
        subscriber.next(value)
      }),
    )
  })
}

const passing = <Value>(next: (value: Value) => void): InnerHandlers<Value> => ({ next })

describe('subscribeInner', () => {
  it.each(['-', '|', '-a|', '-a-b-|', '#', '-a-#'])('passes %s on where only `next` is given', (marble) => {
    marbles(({ cold, expectObservable }) => {
      expectObservable(through(cold(marble), passing)).toBe(marble)
    })
  })

  it('ends with the outer subscription', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold('-a-b-c')
      expectObservable(through(source$, passing), '^--!').toBe('-a-')
      expectSubscriptions(source$.subscriptions).toBe('^--!')
    })
  })

  it('stops a synchronous firehose with the outer subscription', () => {
    let fired = 0
    through(range(0, 1_000_000).pipe(tap(() => fired++)), passing)
      .pipe(take(3))
      .subscribe()
    expect(fired).toBe(3)
  })

  it.each<[string, Observable<unknown>, InnerHandlers<unknown>]>([
    ['next', of(1), { next: thrower }],
    ['complete', of(1), { next: () => undefined, complete: thrower }],
    ['error', defer(() => Promise.reject(new Error('source'))), { next: () => undefined, error: thrower }],
  ])('makes the outer error of a throw of %s', async (_, source$, handlers) => {
    const told: unknown[] = []
    await new Promise<void>((resolve) => {
      through(source$, () => handlers).subscribe({
        error: (error: unknown) => {
          told.push(error)
          resolve()
        },
        complete: () => {
          told.push('complete')
          resolve()
        },
      })
    })
    expect(told).toEqual([new Error('handler')])
  })

  it('lets go of the source when a handler throws', () => {
    const source$ = new Subject<number>()
    through(source$, () => ({ next: thrower })).subscribe({ error: () => undefined })
    source$.next(1)
    expect(source$.observed).toBe(false)
  })

  it('leaves nothing on the outer subscription when the source has ended', () => {
    let torn = 0
    const source$ = new Observable<number>((subscriber) => {
      subscriber.complete()
      return () => torn++
    })
    through(source$, (next) => ({ next, complete: () => undefined })).subscribe()
    expect(torn).toBe(1)
  })
})

function thrower(): never {
  throw new Error('handler')
}
