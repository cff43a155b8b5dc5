// A hand-written inner subscription ends with its outer one, also while it is emitting synchronously, and costs one call a value.
import { Subscriber } from 'rxjs'
import type { Observable } from 'rxjs'

/** What is done with the source's notifications; an error or completion that is not given goes to the outer subscriber. */
export interface InnerHandlers<Value> {
  next(value: Value): void
  error?(error: unknown): void
  complete?(): void
}

/**
 * Subscribes to `source$` on behalf of `outer`: when `outer` is torn down, so is this subscription, and a synchronous
 * firehose stops with it. A throw of a handler goes to `outer` as its error.
 *
 * The rxjs operators do the same with a class that they do not export; `takeUntil` and a plain observer in its place cost
 * four calls a value more: 1.6 instead of 1.1 µs a delta through the whole loop (`npm run bench`).
 */
export function subscribeInner<Value>(
  source$: Observable<Value>,
  outer: Subscriber<never>,
  handlers: InnerHandlers<Value>,
): void {
  source$.subscribe(new InnerSubscriber(outer, handlers))
}

/* eslint-disable rxjs-x/no-subclass, @typescript-eslint/no-deprecated -- what rxjs' own operators do, measured above */
class InnerSubscriber<Value> extends Subscriber<Value> {
  readonly #outer: Subscriber<never>
  readonly #handlers: InnerHandlers<Value>

  constructor(outer: Subscriber<never>, handlers: InnerHandlers<Value>) {
    super(outer)
    this.#outer = outer
    this.#handlers = handlers
  }

  protected override _next(value: Value): void {
    try {
      this.#handlers.next(value)
    } catch (error) {
      this.#outer.error(error)
    }
  }

  protected override _error(error: unknown): void {
    try {
      if (this.#handlers.error === undefined) this.#outer.error(error)
      else this.#handlers.error(error)
    } catch (thrown) {
      this.#outer.error(thrown)
    } finally {
      this.unsubscribe()
    }
  }

  protected override _complete(): void {
    try {
      if (this.#handlers.complete === undefined) this.#outer.complete()
      else this.#handlers.complete()
    } catch (thrown) {
      this.#outer.error(thrown)
    } finally {
      this.unsubscribe()
    }
  }
}
