// Wraps promises and async iterables in Observables that abort them on unsubscribe.
// Unsubscribing aborts the signal that the producer received.
import { Observable } from 'rxjs'

/** The result of a producer: one value, or several over time. */
export type AbortableSource<Value> = PromiseLike<Value> | AsyncIterable<Value>

/**
 * Wraps promise-based work: `fromAbortable((signal) => fetch(url, { signal }))`.
 *
 * Cold: each subscription calls `producer` with a signal of its own. A promise emits its value and completes; an async
 * iterable emits its values as they come, without a buffer: the next one is requested after the last one was delivered.
 * On unsubscribe the signal aborts and the iterator's `return` is called, even while it waits; later values are
 * dropped. A source that ended by itself is not aborted: a response's body outlives the promise of its head. A
 * rejection or a throw of producer or iterator becomes the error notification, unless the subscriber is gone.
 */
export function fromAbortable<Value>(producer: (signal: AbortSignal) => AbortableSource<Value>): Observable<Value> {
  return abortable(producer, { withReturn: false })
}

/** As `fromAbortable`, and emits what a generator returns, unless that is undefined. */
export function fromGenerator<Value>(producer: (signal: AbortSignal) => AsyncIterable<Value>): Observable<Value> {
  return abortable(producer, { withReturn: true })
}

interface Pulling {
  /** The value that the iterator returns is emitted too. */
  readonly withReturn: boolean
}

function abortable<Value>(
  producer: (signal: AbortSignal) => AbortableSource<Value>,
  pulling: Pulling,
): Observable<Value> {
  return new Observable<Value>((subscriber) => {
    const controller = new AbortController()
    const source = producer(controller.signal) // Observable turns a throw into an error
    const isIterable = Symbol.asyncIterator in source
    const pending = isIterable ? pullFrom(source, subscriber, pulling) : emitResult(source, subscriber)
    return () => {
      if (pending.ended) return
      controller.abort()
      pending.stop()
    }
  })
}

type Sink<Value> = { next(value: Value): void; error(error: unknown): void; complete(): void; readonly closed: boolean }

interface Pending {
  /** True if nothing is left to abort. */
  readonly ended: boolean
  stop(): void
}

function emitResult<Value>(promise: PromiseLike<Value>, sink: Sink<Value>): Pending {
  const pending = { ended: false, stop: () => undefined }
  promise.then(
    (value) => {
      pending.ended = true // before the value: the subscriber may unsubscribe
      sink.next(value)
      sink.complete()
    },
    (error: unknown) => {
      pending.ended = true
      sink.error(error)
    },
  )
  return pending
}

function pullFrom<Value>(iterable: AsyncIterable<Value>, sink: Sink<Value>, { withReturn }: Pulling): Pending {
  const iterator = iterable[Symbol.asyncIterator]()
  const pending = { ended: false, stop: () => returnEarly(iterator) }
  const fail = (error: unknown): void => {
    pending.ended = true
    sink.error(error)
  }
  const take = (result: IteratorResult<Value>): void => {
    if (sink.closed) return
    if (!isObject(result)) {
      fail(new TypeError(`An iterator returned ${String(result)} instead of an object {done, value}`))
      return
    }
    if (result.done === true) {
      pending.ended = true
      if (withReturn && result.value !== undefined) sink.next(result.value as Value) // a generator's own type
      sink.complete()
      return
    }
    sink.next(result.value)
    pull()
  }
  const pull = (): void => {
    if (sink.closed) return
    try {
      iterator.next().then(take, fail)
    } catch (error) {
      fail(error) // an iterator written by hand may throw instead of rejecting
    }
  }
  pull()
  return pending
}

/** An iterator written by hand may return anything; a throw inside the promise's own handler would be lost. */
function isObject(result: unknown): result is object {
  return typeof result === 'object' && result !== null
}

/** An error now has no receiver: the consumer is gone. */
function returnEarly(iterator: AsyncIterator<unknown>): void {
  try {
    void iterator.return?.().then(undefined, () => undefined)
  } catch {
    // as above
  }
}
