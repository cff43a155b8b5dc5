// Turns an Observable into an async iterable with a bounded queue.
// It fails if its reader is too slow.
import { Subject, takeUntil } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure } from '../values/failure.ts'
import { fifo } from '../values/fifo.ts'

export interface ToAsyncIterableOptions {
  /** The most values that may wait for the reader, at least 1. @default 10_000 */
  readonly capacity?: number
}

/**
 * Makes a stream readable by `for await`. Each iterator subscribes when it is made and gives every value since, in
 * order.
 *
 * ```ts
 * for await (const event of toAsyncIterable(session.events$)) if (event.type === 'agent_settled') break
 * ```
 *
 * An Observable cannot be slowed down: when `capacity` values wait and one more comes, the source is unsubscribed, and
 * after those that wait the iterator rejects once with Failure `overloaded`; put `conflate` or a filter in front, or
 * read faster. The source's error comes after what waits, too. Leaving the loop (`return`) unsubscribes at once and
 * drops what waits. After its end an iterator is `done` forever. To miss nothing of what a command causes, make the
 * iterator (it is iterable itself) before the command is sent.
 * @throws Failure `bad_request` for a capacity that is not a positive integer
 */
export function toAsyncIterable<Value>(
  source$: Observable<Value>,
  { capacity = 10_000 }: ToAsyncIterableOptions = {},
): { [Symbol.asyncIterator](): AsyncIterableIterator<Value, undefined> } {
  if (!(capacity >= 1 && Number.isInteger(capacity)))
    throw new Failure('bad_request', `toAsyncIterable: capacity is ${capacity}; give a whole number, 1 or more`)
  return { [Symbol.asyncIterator]: () => iterate(source$, capacity) }
}

function iterate<Value>(source$: Observable<Value>, capacity: number): AsyncIterableIterator<Value, undefined> {
  const queue = createPullQueue<Value>()
  const stop$ = new Subject<void>()

  source$.pipe(takeUntil(stop$)).subscribe({
    next: (value) => {
      if (queue.size < capacity) queue.put(value)
      else {
        queue.end({ error: overloadedFailure(capacity) }) // before the source is unsubscribed: that completes it
        stop$.next()
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
      stop$.next()
      return Promise.resolve({ done: true, value: undefined })
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

function overloadedFailure(capacity: number): Failure {
  return new Failure(
    'overloaded',
    `toAsyncIterable: the queue of ${capacity} values is full; read faster, filter the source or raise the capacity`,
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
function createPullQueue<Value>(): PullQueue<Value> {
  const readers: Reader<Value>[] = []
  let values = fifo<Value>()
  let ended = false
  let failure: { readonly error: unknown } | undefined

  const answer = (reader: Reader<Value>): void => {
    if (values.size > 0) reader.resolve({ done: false, value: values.take() })
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
      return values.size
    },
    put: (value) => {
      const reader = readers.shift()
      if (reader === undefined) values.put(value)
      else reader.resolve({ done: false, value })
    },
    take: () => new Promise((resolve, reject) => answer({ resolve, reject })),
    end,
    drop: () => {
      values = fifo()
      failure = undefined
      end()
    },
  }
}
