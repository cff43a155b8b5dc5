// Tests async iterables of Observables, with real promises: they have no virtual time.
import { EMPTY, NEVER, Observable, Subject, concat, finalize, interval, of, range, take, throwError } from 'rxjs'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fromAbortable } from '../../../lib/streams/rx/from-abortable.ts'
import { toAsyncIterable } from '../../../lib/streams/rx/to-async-iterable.ts'
import { valuesOf } from '../../support/values-of.ts'

let unhandled: unknown[]
const onUnhandled = (reason: unknown): void => {
  unhandled.push(reason)
}

beforeEach(() => {
  unhandled = []
  process.on('unhandledRejection', onUnhandled)
})

afterEach(async () => {
  await delay(5) // rejections are reported a turn of the event loop later
  process.off('unhandledRejection', onUnhandled)
  expect(unhandled).toEqual([])
})

/** All values that were read, and the error at the end. */
async function readAll<Value>(source$: Observable<Value>, capacity?: number): Promise<unknown[]> {
  const received: unknown[] = []
  try {
    for await (const value of toAsyncIterable(source$, capacity === undefined ? {} : { capacity })) received.push(value)
  } catch (error) {
    received.push(error)
  }
  return received
}

const sad = new Error('sad')
const overloaded = expect.objectContaining({ name: 'Failure', code: 'overloaded' }) as unknown
const done = { done: true, value: undefined }

describe('toAsyncIterable', () => {
  it.each([
    ['nothing', EMPTY, []],
    ['one value', of(1), [1]],
    ['many values in order', range(0, 5_000), Array.from({ length: 5_000 }, (_, index) => index)],
    ['values that come over time', interval(1).pipe(take(3)), [0, 1, 2]],
    ['values that are undefined', of(undefined, null), [undefined, null]],
    ['an error', throwError(() => sad), [sad]],
    [
      'an error behind buffered values',
      concat(
        of(1, 2),
        throwError(() => sad),
      ),
      [1, 2, sad],
    ],
  ])('reads %s', async (_, source$, expected) => {
    expect(await readAll<unknown>(source$)).toEqual(expected)
  })

  it('is the inverse of fromAbortable', async () => {
    expect(await valuesOf(fromAbortable(() => toAsyncIterable(range(0, 100))))).toEqual(await valuesOf(range(0, 100)))
  })

  it('subscribes when an iterator is created, once for each iterator', async () => {
    let subscriptions = 0
    const iterable = toAsyncIterable(
      new Observable<number>((subscriber) => {
        subscriber.next(++subscriptions)
      }),
    )
    expect(subscriptions).toBe(0)
    const [one, two] = [iterable[Symbol.asyncIterator](), iterable[Symbol.asyncIterator]()]
    expect([await two.next(), await one.next()]).toMatchObject([{ value: 2 }, { value: 1 }])
  })

  it('buffers values between the creation of an iterator and its loop', async () => {
    const source$ = new Subject<string>()
    const iterator = toAsyncIterable(source$)[Symbol.asyncIterator]()
    source$.next('early')
    source$.complete()
    const received: string[] = []
    for await (const value of iterator) received.push(value)
    expect(received).toEqual(['early'])
  })

  it('resolves reads that came before the values, in order', async () => {
    const source$ = new Subject<string>()
    const iterator = toAsyncIterable(source$)[Symbol.asyncIterator]()
    const results = Promise.all([iterator.next(), iterator.next(), iterator.next()])
    for (const value of ['a', 'b']) source$.next(value)
    source$.complete()
    expect(await results).toEqual([{ done: false, value: 'a' }, { done: false, value: 'b' }, done])
  })

  it('rejects the first pending read with an error, and ends the others', async () => {
    const source$ = new Subject<string>()
    const iterator = toAsyncIterable(source$)[Symbol.asyncIterator]()
    const results = Promise.allSettled([iterator.next(), iterator.next()])
    source$.error(sad)
    expect(await results).toEqual([
      { status: 'rejected', reason: sad },
      { status: 'fulfilled', value: done },
    ])
    expect(await iterator.next()).toEqual(done)
  })

  it('buffers as many values as its capacity', async () => {
    expect(await readAll(of(1, 2, 3), 3)).toEqual([1, 2, 3])
  })

  it('fails beyond its capacity, after the buffered values, then ends', async () => {
    expect(await readAll(of(1, 2, 3, 4, 5), 3)).toEqual([1, 2, 3, overloaded])
    const iterator = toAsyncIterable(of(1, 2), { capacity: 1 })[Symbol.asyncIterator]()
    await iterator.next()
    await expect(iterator.next()).rejects.toThrow('the queue of 1 values is full')
    expect(await iterator.next()).toEqual(done)
  })

  it('counts only buffered values', async () => {
    const source$ = new Subject<number>()
    const iterator = toAsyncIterable(source$, { capacity: 1 })[Symbol.asyncIterator]()
    for (let count = 0; count < 10_000; count++) {
      source$.next(count)
      expect((await iterator.next()).value).toBe(count)
    }
  })

  it('unsubscribes its source when it is full, also a synchronous one', async () => {
    let fired = 0
    const firehose$ = new Observable<number>((subscriber) => {
      while (!subscriber.closed && fired < 1_000) subscriber.next(fired++)
    })
    expect(await readAll(firehose$, 2)).toEqual([0, 1, overloaded])
    expect(fired).toBe(3)
  })

  it('unsubscribes its source and drops buffered values when the loop is left', async () => {
    const source$ = new Subject<number>()
    const iterator = toAsyncIterable(source$)[Symbol.asyncIterator]()
    for (const value of [1, 2, 3]) source$.next(value)
    const received: number[] = []
    for await (const value of iterator) {
      received.push(value)
      if (value === 1) break
    }
    expect([received, source$.observed, await iterator.next()]).toEqual([[1], false, done])
  })

  it('unsubscribes its source when the loop throws', async () => {
    let left = false
    const source$ = concat(of(1), NEVER).pipe(finalize(() => (left = true)))
    const loop = async (): Promise<void> => {
      for await (const value of toAsyncIterable(source$)) throw new Error(`no ${value}`)
    }
    await expect(loop()).rejects.toThrow('no 1')
    expect(left).toBe(true)
  })

  it('ends a pending read when the loop is left', async () => {
    const iterator = toAsyncIterable(NEVER)[Symbol.asyncIterator]()
    const waiting = iterator.next()
    expect(await iterator.return?.()).toEqual(done)
    expect(await waiting).toEqual(done)
  })

  it('emits no failure after the loop was left', async () => {
    const iterator = toAsyncIterable(of(1, 2, 3), { capacity: 1 })[Symbol.asyncIterator]()
    await iterator.return?.()
    expect(await iterator.next()).toEqual(done)
  })

  it.each([0, -1, 1.5, NaN, Infinity])('refuses a capacity of %d', (capacity) => {
    const refusal = expect.objectContaining({ code: 'bad_request' }) as Error
    expect(() => toAsyncIterable(NEVER, { capacity })).toThrow(refusal)
  })
})
