// Tests `operate`, which builds the subscriber of a hand-written operator.
import { Observable, Subject, map, of, range, take, takeUntil, tap, throwError } from 'rxjs'
import type { Subscriber } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { operate } from '../../../lib/operators/core/operate.ts'
import type { OperateConfig } from '../../../lib/operators/core/operate.ts'
import { marbles } from '../../../lib/testing/marbles.ts'

type Handlers<Value> = Omit<OperateConfig<Value, Value>, 'destination'>

/** Passes the source through a hand-written operator with these handlers. */
function applyLayers<Value>(
  source$: Observable<Value>,
  handlers: (next: (value: Value) => void) => Handlers<Value>,
): Observable<Value> {
  return new Observable<Value>((destination) => {
    const next = (value: Value): void => {
      destination.next(value)
    }
    source$.subscribe(operate({ destination, ...handlers(next) }))
  })
}

const handing = <Value>(next: (value: Value) => void): Handlers<Value> => ({ next })

/** A layer without `next`. */
function passThrough<Value>(
  source$: Observable<Value>,
  handlers: Omit<Handlers<Value>, 'next'> = {},
): Observable<Value> {
  return new Observable<Value>((destination) => {
    source$.subscribe(operate<Value>({ destination, ...handlers }))
  })
}

const layers: [string, (source$: Observable<string>) => Observable<string>][] = [
  ['with next', (source$) => applyLayers(source$, handing)],
  ['without next', passThrough],
  ['without next, three layers', (source$) => passThrough(passThrough(passThrough(source$)))],
  ['both', (source$) => passThrough(applyLayers(passThrough(source$), handing))],
]

describe.each(layers)('operate %s', (_, layer) => {
  it.each(['-', '|', '-a|', '-a-b-|', '#', '-a-#'])('passes %s on', (marble) => {
    marbles(({ cold, expectObservable }) => {
      expectObservable(layer(cold(marble))).toBe(marble)
    })
  })

  it('ends with the outer subscription', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold('-a-b-c')
      expectObservable(layer(source$), '^--!').toBe('-a-')
      expectSubscriptions(source$.subscriptions).toBe('^--!')
    })
  })

  it('stops a synchronous firehose with the outer subscription', () => {
    let fired = 0
    const source$ = range(0, 1_000_000).pipe(
      tap(() => fired++),
      map((value) => String(value)),
    )
    layer(source$).pipe(take(3)).subscribe()
    expect(fired).toBe(3)
  })

  it.each(['complete', 'error', 'unsubscribe'] as const)('emits nothing after %s', (end) => {
    const emitted: string[] = []
    const subscription = layer(
      new Observable((subscriber) => {
        subscriber.next('before')
        if (end === 'error') subscriber.error(new Error('source'))
        else if (end === 'complete') subscriber.complete()
        return undefined
      }),
    ).subscribe({ next: (value) => emitted.push(value), error: () => undefined })
    expect([emitted, subscription.closed]).toEqual([['before'], end !== 'unsubscribe'])
    const retained: Subscriber<string>[] = []
    const late: string[] = []
    const source$ = new Observable<string>((subscriber) => {
      retained.push(subscriber)
    })
    const second = layer(source$).subscribe({ next: (value) => late.push(value), error: () => undefined })
    const [subscriber] = retained
    if (end === 'unsubscribe') second.unsubscribe()
    else if (end === 'complete') subscriber?.complete()
    else subscriber?.error(new Error('source'))
    subscriber?.next('late')
    expect(late).toEqual([])
  })
})

describe('layers without next', () => {
  it('emit nothing after an outer layer has ended', () => {
    const inner$ = new Subject<string>()
    const stop$ = new Subject<void>()
    const emitted: string[] = []
    const outer$ = passThrough(passThrough(passThrough(inner$)).pipe(takeUntil(stop$)), {
      complete: () => {
        inner$.next('late') // the layers below are still subscribed
        emitted.push('complete')
      },
    })
    outer$.subscribe((value) => emitted.push(value))
    inner$.next('in time')
    stop$.next()
    expect(emitted).toEqual(['in time', 'complete'])
  })

  it('keep concurrent sources apart', () => {
    const [left$, right$] = [new Subject<string>(), new Subject<string>()]
    const emitted: string[] = []
    const both$ = new Observable<string>((subscriber) => {
      for (const source$ of [left$, right$])
        passThrough(source$).subscribe(operate<string>({ destination: subscriber, complete: () => undefined }))
    })
    passThrough(both$).subscribe((value) => emitted.push(value))
    left$.next('a')
    right$.next('b')
    left$.complete()
    right$.next('c')
    expect(emitted).toEqual(['a', 'b', 'c'])
  })
})

describe('operate', () => {
  it.each<[string, Observable<unknown>, Handlers<unknown>]>([
    ['next', of(1), { next: throwFromHandler }],
    ['complete', of(1), { next: () => undefined, complete: throwFromHandler }],
    ['error', throwError(() => new Error('source')), { next: () => undefined, error: throwFromHandler }],
  ])('passes a throw of %s on as the outer error', (_, source$, handlers) => {
    const emitted: unknown[] = []
    applyLayers(source$, () => handlers).subscribe({
      error: (error: unknown) => emitted.push(error),
      complete: () => emitted.push('complete'),
    })
    expect(emitted).toEqual([new Error('handler')])
  })

  it('unsubscribes the source when a handler throws', () => {
    const source$ = new Subject<number>()
    applyLayers(source$, () => ({ next: throwFromHandler })).subscribe({ error: () => undefined })
    source$.next(1)
    expect(source$.observed).toBe(false)
  })

  it('leaves nothing on the outer subscription when the source has ended', () => {
    let torn = 0
    const source$ = new Observable<number>((subscriber) => {
      subscriber.complete()
      return () => torn++
    })
    applyLayers(source$, (next) => ({ next, complete: () => undefined })).subscribe()
    expect(torn).toBe(1)
  })

  it.each([
    ['completes', (source$: Subject<number>) => source$.complete()],
    ['fails', (source$: Subject<number>) => source$.error(new Error('source'))],
    ['is unsubscribed', (_: Subject<number>, unsubscribe: () => void) => unsubscribe()],
  ])('calls finalize once, after the teardown of a source that %s', (_, end) => {
    const calls: string[] = []
    const source$ = new Subject<number>()
    const torn$ = new Observable<number>((subscriber) => {
      source$.subscribe(subscriber)
      return () => calls.push('teardown')
    })
    const subscription = passThrough(torn$, { finalize: () => calls.push('finalize') }).subscribe({
      error: () => undefined,
    })
    end(source$, () => subscription.unsubscribe())
    subscription.unsubscribe()
    expect(calls).toEqual(['teardown', 'finalize'])
  })

  it('subscribes to nothing if the destination has ended', () => {
    const values: number[] = []
    const closed$ = new Observable<number>((destination) => {
      destination.complete()
      range(0, 3).subscribe(operate<number>({ destination }))
    })
    closed$.subscribe((value) => values.push(value))
    expect(values).toEqual([])
  })
})

function throwFromHandler(): never {
  throw new Error('handler')
}
