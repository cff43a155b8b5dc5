// Tests Observables of promises and iterables, with real promises: they have no virtual time.
// Over 250 lines: promises and iterables are held to the same rules, side by side.
import { setTimeout as delay } from 'node:timers/promises'
import { take } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fromAbortable } from '../../../lib/streams/rx/from-abortable.ts'
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

/** An iterable whose steps the test resolves. */
function createManualIterable() {
  const log: string[] = []
  const waiting: { resolve(result: IteratorResult<string>): void; reject(error: unknown): void }[] = []
  const iterable: AsyncIterable<string> = {
    [Symbol.asyncIterator]: () => ({
      next: () => {
        log.push('next')
        return new Promise((resolve, reject) => waiting.push({ resolve, reject }))
      },
      return: () => {
        log.push('return')
        return Promise.resolve({ done: true, value: undefined })
      },
    }),
  }
  return {
    log,
    iterable,
    give: (value: string) => waiting.shift()?.resolve({ done: false, value }),
    end: () => waiting.shift()?.resolve({ done: true, value: undefined }),
    fail: (error: unknown) => waiting.shift()?.reject(error),
  }
}

async function* counting(to: number, onEnd: () => void = () => undefined): AsyncGenerator<number> {
  try {
    for (let count = 0; count < to; count++) yield await Promise.resolve(count)
  } finally {
    onEnd()
  }
}

describe('fromAbortable of a promise', () => {
  it('emits its value and completes', async () => {
    expect(await valuesOf(fromAbortable(() => Promise.resolve(7)))).toEqual([7])
  })

  it('fails if it rejects', async () => {
    await expect(valuesOf(fromAbortable(() => Promise.reject(new Error('sad'))))).rejects.toThrow('sad')
  })

  it('calls its producer for each subscription, with its own signal', async () => {
    const signals = new Set<AbortSignal>()
    const source$ = fromAbortable((signal) => Promise.resolve(signals.add(signal).size))
    expect(signals.size).toBe(0)
    expect([await valuesOf(source$), await valuesOf(source$)]).toEqual([[1], [2]])
  })

  it('aborts the signal when it is unsubscribed, and then emits nothing', async () => {
    const received: unknown[] = []
    let signal: AbortSignal | undefined
    let resolve: (value: string) => void = () => undefined
    const promise = new Promise<string>((done) => {
      resolve = done
    })
    const subscription = fromAbortable((passed) => {
      signal = passed
      return promise
    }).subscribe((value) => received.push(value))
    expect(signal?.aborted).toBe(false)
    subscription.unsubscribe()
    expect(signal?.aborted).toBe(true)
    resolve('late')
    await promise
    expect(received).toEqual([])
  })

  it('does not abort after the value: the body of a response outlives the promise of its head', async () => {
    let signal: AbortSignal | undefined
    const head$ = fromAbortable((passed) => {
      signal = passed
      return Promise.resolve('head')
    })
    expect(await valuesOf(head$)).toEqual(['head'])
    expect(signal?.aborted).toBe(false)
    expect(await valuesOf(head$.pipe(take(1)))).toEqual(['head'])
    expect(signal?.aborted).toBe(false)
  })

  it('reports no rejection that comes after unsubscribe', async () => {
    fromAbortable(() => delay(1).then(() => Promise.reject(new Error('late'))))
      .subscribe()
      .unsubscribe()
    await delay(10)
  })

  it('fails if the producer throws', async () => {
    const source$ = fromAbortable((): Promise<number> => {
      throw new Error('at once')
    })
    await expect(valuesOf(source$)).rejects.toThrow('at once')
  })
})

describe('fromAbortable of an async iterable', () => {
  it('emits its values and completes', async () => {
    expect(await valuesOf(fromAbortable(() => counting(3)))).toEqual([0, 1, 2])
  })

  it('completes if there is no value', async () => {
    expect(await valuesOf(fromAbortable(() => counting(0)))).toEqual([])
  })

  it('fails if a step rejects, after the values before it', async () => {
    const { iterable, give, fail, log } = createManualIterable()
    const received: unknown[] = []
    const ended = new Promise<void>((resolve) => {
      fromAbortable(() => iterable).subscribe({
        next: (value) => received.push(value),
        error: (error: unknown) => {
          received.push(error)
          resolve()
        },
      })
    })
    give('a')
    await delay(0)
    fail('cut')
    await ended
    expect([received, log]).toEqual([
      ['a', 'cut'],
      ['next', 'next'],
    ])
  })

  it('requests the next value after it emitted the last', async () => {
    const { iterable, give, log } = createManualIterable()
    fromAbortable(() => iterable).subscribe((value) => log.push(value))
    expect(log).toEqual(['next'])
    give('a')
    await delay(0)
    expect(log).toEqual(['next', 'a', 'next'])
  })

  it('aborts and calls return when it is unsubscribed while a step is pending', async () => {
    const { iterable, give, log } = createManualIterable()
    let signal: AbortSignal | undefined
    const subscription = fromAbortable((passed) => {
      signal = passed
      return iterable
    }).subscribe((value) => log.push(value))
    subscription.unsubscribe()
    expect([signal?.aborted, log]).toEqual([true, ['next', 'return']])
    give('late')
    await delay(0)
    expect(log).toEqual(['next', 'return'])
  })

  it('calls return and requests no more when it is unsubscribed by a value', async () => {
    let ended = false
    const source$ = fromAbortable(() => counting(1_000, () => (ended = true)))
    expect(await valuesOf(source$.pipe(take(2)))).toEqual([0, 1])
    await delay(0)
    expect(ended).toBe(true)
  })

  it('does not call return after its end', async () => {
    const { iterable, end, log } = createManualIterable()
    const ended = valuesOf(fromAbortable(() => iterable))
    end()
    await ended
    expect(log).toEqual(['next'])
  })

  it('reports no rejection of a step or of return that comes after unsubscribe', async () => {
    const iterable: AsyncIterable<string> = {
      [Symbol.asyncIterator]: () => ({
        next: () => delay(1).then(() => Promise.reject(new Error('late step'))),
        return: () => Promise.reject(new Error('late return')),
      }),
    }
    fromAbortable(() => iterable)
      .subscribe()
      .unsubscribe()
    await delay(10)
  })

  it.each<[string, AsyncIterable<string>]>([
    [
      'the iterable',
      {
        [Symbol.asyncIterator]: () => {
          throw new Error('broken')
        },
      },
    ],
    ['its first step', { [Symbol.asyncIterator]: () => ({ next: throwAfter(0) }) }],
    ['a later step', { [Symbol.asyncIterator]: () => ({ next: throwAfter(2) }) }],
  ])('fails if %s throws instead of rejecting', async (_, iterable) => {
    await expect(valuesOf(fromAbortable(() => iterable))).rejects.toThrow('broken')
  })

  it('fails if a step resolves to a value that is no iterator result', async () => {
    const iterable = { [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve(undefined) }) }
    const broken = iterable as unknown as AsyncIterable<string> // written without types
    const received = new Promise((resolve) => fromAbortable(() => broken).subscribe({ error: resolve }))
    expect(await Promise.race([received, delay(1_000, 'nothing')])).toMatchObject({
      name: 'TypeError',
      message: 'An iterator returned undefined instead of an object {done, value}',
    })
  })

  it("ignores a throw of the iterator's return", () => {
    const iterable: AsyncIterable<string> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise<never>(() => undefined),
        return: () => {
          throw new Error('broken')
        },
      }),
    }
    const subscription = fromAbortable(() => iterable).subscribe()
    expect(() => {
      subscription.unsubscribe()
    }).not.toThrow()
  })

  it('takes 10,000 items without growing the stack', async () => {
    let deepest = 0
    Error.stackTraceLimit = 200
    const source$ = fromAbortable(() => counting(10_000))
    source$.subscribe(() => {
      deepest = Math.max(deepest, (new Error('where').stack ?? '').split('\n').length)
    })
    expect(await valuesOf(source$)).toHaveLength(10_000)
    Error.stackTraceLimit = 10
    expect(deepest).toBeLessThan(60)
  })
})

function throwAfter(steps: number): () => Promise<IteratorResult<string>> {
  let step = 0
  return () => {
    if (step++ === steps) throw new Error('broken')
    return Promise.resolve({ done: false, value: 'x' })
  }
}
