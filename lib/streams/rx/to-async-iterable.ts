// Turns an Observable into an async iterable with a bounded queue.
// It fails if its reader is too slow.
import { Subject, takeUntil } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure } from '../values/failure.ts'

export interface ToAsyncIterableOptions {
  /** The most values that may wait for the reader, at least 1. @default 10_000 */
  readonly capacity?: number
}

/**
 * Makes a stream readable by `for await`. Each iterator subscribes when it is made and gives every value since, in order.
 *
 * ```ts
 * for await (const event of toAsyncIterable(session.events$)) if (event.type === 'agent_settled') break
 * ```
 *
 * An Observable cannot be slowed down: when `capacity` values wait and one more comes, the source is unsubscribed, and after
 * those that wait the iterator rejects once with Failure `overloaded`; put `conflate` or a filter in front, or read faster.
 * The source's error comes behind what waits, too. Leaving the loop (`return`) unsubscribes at once and drops what waits.
 * After its end an iterator is `done` for ever. To miss nothing of what a command causes, make the iterator (it is iterable
 * itself) before the command is sent.
 * @throws Failure `bad_request` for a capacity that is not a positive integer
 */
export function toAsyncIterable<Value>(
  source$: Observable<Value>,
  { capacity = 10_000 }: ToAsyncIterableOptions = {},
): { [Symbol.asyncIterator](): AsyncIterableIterator<Value, undefined> } {
  if (!(capacity >= 1 && Number.isInteger(capacity)))
    throw new Failure('bad_request', `toAsyncIterable's capacity, ${capacity}, is not a positive integer`)
  return { [Symbol.asyncIterator]: () => iterate(source$, capacity) }
}

function iterate<Value>(source$: Observable<Value>, capacity: number): AsyncIterableIterator<Value, undefined> {
  const queue = pullQueue<Value>()
  const left$ = new Subject<void>()

  source$.pipe(takeUntil(left$)).subscribe({
    next: (value) => {
      if (queue.size < capacity) queue.put(value)
      else {
        queue.end({ error: tooSlow(capacity) }) // before the source is unsubscribed: that completes it
        left$.next()
      }
    },
    error: (error: unknown) => {
      queue.end({ error })
    },
    complete: () => {
      queue.end()
    },
  })
  return {
    next: () => queue.take(),
    return: () => {
      queue.drop()
      left$.next()
      return Promise.resolve({ done: true, value: undefined })
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

function tooSlow(capacity: number): Failure {
  return new Failure(
    'overloaded',
    `The reader of toAsyncIterable let ${capacity} values wait; read faster, ask for less or raise its capacity`,
  )
}

interface Reader<Value> {
  resolve(result: IteratorResult<Value, undefined>): void
  reject(error: unknown): void
}

interface PullQueue<Value> {
  /** Values that wait for a reader. */
  readonly size: number
  put(value: Value): void
  take(): Promise<IteratorResult<Value, undefined>>
  /** Takes no more values; the first end wins. The error is delivered once, after the waiting values. */
  end(failure?: { readonly error: unknown }): void
  /** Ends, and drops the waiting values. */
  drop(): void
}

/** Values wait for readers or readers for values, never both. */
function pullQueue<Value>(): PullQueue<Value> {
  const readers: Reader<Value>[] = []
  // `first` walks through `values`: shifting a long array costs as much as it is long
  let values: Value[] = []
  let first = 0
  let ended = false
  let failure: { readonly error: unknown } | undefined

  const takeValue = (): Value => {
    const value = values[first++] as Value // the caller checked the size; Value may include undefined
    if (first === values.length || first === 4_096) {
      values = values.slice(first)
      first = 0
    }
    return value
  }
  const answer = (reader: Reader<Value>): void => {
    if (first < values.length) reader.resolve({ done: false, value: takeValue() })
    else if (!ended) readers.push(reader)
    else if (failure === undefined) reader.resolve({ done: true, value: undefined })
    else {
      const { error } = failure
      failure = undefined
      reader.reject(error)
    }
  }
  const end: PullQueue<Value>['end'] = (error) => {
    if (ended) return
    ended = true
    failure = error
    readers.splice(0).forEach(answer)
  }
  return {
    get size() {
      return values.length - first
    },
    put: (value) => {
      const reader = readers.shift()
      if (reader === undefined) values.push(value)
      else reader.resolve({ done: false, value })
    },
    take: () => new Promise((resolve, reject) => answer({ resolve, reject })),
    end,
    drop: () => {
      values = []
      first = 0
      failure = undefined
      end()
    },
  }
}
