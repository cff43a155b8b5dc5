// A foreign promise or async iterable enters here and nowhere else; unsubscribing aborts the signal that its producer was given.
import { Observable } from 'rxjs'

/** What a producer may give back: one value, or several over time. */
export type AbortableSource<Value> = PromiseLike<Value> | AsyncIterable<Value>

/**
 * Wraps work of the promise world: `fromAbortable((signal) => fetch(url, { signal }))`.
 *
 * Cold: each subscription calls `producer` anew with a signal of its own. A promise gives its value and completes; an async
 * iterable gives its values as they come, without a buffer: the next one is asked for when the last one was taken.
 * On unsubscribe the signal aborts and an iterator's `return` is called, also while it waits; what comes after is dropped.
 * What has ended by itself is not aborted: a response's body outlives the promise of its head. A rejection or a throw of
 * producer or iterator becomes the error notification, unless nobody is subscribed any more.
 */
export function fromAbortable<Value>(producer: (signal: AbortSignal) => AbortableSource<Value>): Observable<Value> {
  return new Observable<Value>((subscriber) => {
    const controller = new AbortController()
    const source = producer(controller.signal) // Observable makes an error of a throw
    const pending = Symbol.asyncIterator in source ? pullFrom(source, subscriber) : settleInto(source, subscriber)
    return () => {
      if (pending.ended) return
      controller.abort()
      pending.stop()
    }
  })
}

type Sink<Value> = { next(value: Value): void; error(error: unknown): void; complete(): void; readonly closed: boolean }

interface Pending {
  /** True when there is nothing left to abort. */
  readonly ended: boolean
  stop(): void
}

function settleInto<Value>(promise: PromiseLike<Value>, sink: Sink<Value>): Pending {
  const pending = { ended: false, stop: () => undefined }
  promise.then(
    (value) => {
      pending.ended = true // before the value: its taker may unsubscribe
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

function pullFrom<Value>(iterable: AsyncIterable<Value>, sink: Sink<Value>): Pending {
  const iterator = iterable[Symbol.asyncIterator]()
  const pending = { ended: false, stop: () => leave(iterator) }
  const fail = (error: unknown): void => {
    pending.ended = true
    sink.error(error)
  }
  const take = (result: IteratorResult<Value>): void => {
    if (sink.closed) return
    if (!isObject(result)) {
      fail(new TypeError(`An iterator gave ${String(result)} where an object {done, value} was due`))
      return
    }
    if (result.done === true) {
      pending.ended = true
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

/** An iterator written by hand may give anything; what is thrown in a promise's own handler is told to nobody. */
function isObject(result: unknown): result is object {
  return typeof result === 'object' && result !== null
}

/** What goes wrong now has nobody left to be told: the consumer is gone. */
function leave(iterator: AsyncIterator<unknown>): void {
  try {
    void iterator.return?.().then(undefined, () => undefined)
  } catch {
    // as above
  }
}
