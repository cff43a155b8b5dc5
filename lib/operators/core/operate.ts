// Builds the subscriber of a hand-written operator, in the shape of `operate` in rxjs 8.
import { Subscriber } from 'rxjs'

export interface OperateConfig<In, Out> {
  /** The subscriber below. An error or completion without a handler, and each throw of a handler, go to it. */
  readonly destination: Subscriber<Out>
  readonly next: (value: In) => void
  readonly error?: (error: unknown) => void
  readonly complete?: () => void
  /** Runs once, when the source has ended or was unsubscribed, after the source's own teardown. Does not throw. */
  readonly finalize?: () => void
}

/** Without `next` the operator passes values on. */
export type PassingConfig<Value> = Omit<OperateConfig<Value, Value>, 'next'>

/**
 * The subscriber for `source$.subscribe(…)` within `new Observable((subscriber) => …)`. It is unsubscribed together with
 * `destination`, also while the source emits synchronously.
 */
export function operate<In, Out>(config: OperateConfig<In, Out>): Subscriber<In>
export function operate<Value>(config: PassingConfig<Value>): Subscriber<Value>
export function operate<Value>(config: OperateConfig<Value, Value> | PassingConfig<Value>): Subscriber<Value> {
  return new OperateSubscriber(config)
}

/* eslint-disable rxjs-x/no-subclass, @typescript-eslint/no-deprecated -- rxjs 7 does not export its OperatorSubscriber */
class OperateSubscriber<Value> extends Subscriber<Value> {
  readonly #destination: Subscriber<Value>
  readonly #handlers: Partial<Omit<OperateConfig<Value, Value>, 'destination'>>

  constructor({ destination, ...handlers }: OperateConfig<Value, Value> | PassingConfig<Value>) {
    super()
    this.#destination = destination
    this.#handlers = handlers
    destination.add(this)
  }

  protected override _next(value: Value): void {
    try {
      if (this.#handlers.next === undefined) this.#destination.next(value)
      else this.#handlers.next(value)
    } catch (error) {
      this.#destination.error(error)
    }
  }

  protected override _error(error: unknown): void {
    this.#end(() => {
      if (this.#handlers.error === undefined) this.#destination.error(error)
      else this.#handlers.error(error)
    })
  }

  protected override _complete(): void {
    this.#end(() => {
      if (this.#handlers.complete === undefined) this.#destination.complete()
      else this.#handlers.complete()
    })
  }

  override unsubscribe(): void {
    const isFirst = !this.closed
    super.unsubscribe()
    if (isFirst) this.#handlers.finalize?.()
  }

  #end(end: () => void): void {
    try {
      end()
    } catch (thrown) {
      this.#destination.error(thrown)
    } finally {
      this.unsubscribe()
    }
  }
}
