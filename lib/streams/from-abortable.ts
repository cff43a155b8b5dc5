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
 * A rejection or a throw of `producer` becomes the error notification, unless nobody is subscribed any more.
 */
export function fromAbortable<Value>(producer: (signal: AbortSignal) => AbortableSource<Value>): Observable<Value> {
  return new Observable<Value>((subscriber) => {
    const controller = new AbortController()
    let source: AbortableSource<Value>
    try {
      source = producer(controller.signal)
    } catch (error) {
      subscriber.error(error)
      return
    }
    const stop = Symbol.asyncIterator in source ? pullFrom(source, subscriber) : settleInto(source, subscriber)
    return () => {
      controller.abort()
      stop()
    }
  })
}

type Sink<Value> = { next(value: Value): void; error(error: unknown): void; complete(): void; readonly closed: boolean }

function settleInto<Value>(promise: PromiseLike<Value>, subscriber: Sink<Value>): () => void {
  promise.then(
    (value) => {
      subscriber.next(value)
      subscriber.complete()
    },
    (error: unknown) => {
      subscriber.error(error)
    },
  )
  return () => undefined
}

function pullFrom<Value>(iterable: AsyncIterable<Value>, subscriber: Sink<Value>): () => void {
  const iterator = iterable[Symbol.asyncIterator]()
  let ended = false
  const fail = (error: unknown): void => {
    ended = true
    subscriber.error(error)
  }
  const take = (result: IteratorResult<Value>): void => {
    if (subscriber.closed) return
    if (result.done === true) {
      ended = true
      subscriber.complete()
      return
    }
    subscriber.next(result.value)
    pull()
  }
  const pull = (): void => {
    if (subscriber.closed) return
    iterator.next().then(take, fail)
  }
  pull()
  return () => {
    // a rejecting `return` has nobody left to tell: the consumer is gone
    if (!ended) void iterator.return?.().then(undefined, () => undefined)
  }
}
