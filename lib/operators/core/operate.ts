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
 * The subscriber for `source$.subscribe(…)` within `new Observable((subscriber) => …)`. It is unsubscribed together
 * with `destination`, also while the source emits synchronously.
 */
export function operate<In, Out>(config: OperateConfig<In, Out>): Subscriber<In>
export function operate<Value>(config: PassingConfig<Value>): Subscriber<Value>
export function operate<Value>(config: OperateConfig<Value, Value> | PassingConfig<Value>): Subscriber<Value> {
  return new OperateSubscriber(config)
}

/* eslint-disable rxjs-x/no-subclass -- rxjs 7 does not export its OperatorSubscriber */
/* oxlint-disable typescript/no-deprecated -- as rxjs-x/no-subclass */
class OperateSubscriber<Value> extends Subscriber<Value> {
  readonly #destination: Subscriber<Value>
  readonly #next: ((value: Value) => void) | undefined
  readonly #error: ((error: unknown) => void) | undefined
  readonly #complete: (() => void) | undefined
  readonly #finalize: (() => void) | undefined

  constructor(config: PassingConfig<Value> & Partial<OperateConfig<Value, Value>>) {
    super()
    this.#destination = config.destination
    this.#next = config.next
    this.#error = config.error
    this.#complete = config.complete
    this.#finalize = config.finalize
    config.destination.add(this)
  }

  protected override _next(value: Value): void {
    if (this.#next === undefined) {
      this.#destination.next(value)
      return
    }
    try {
      this.#next(value)
    } catch (error) {
      this.#destination.error(error)
    }
  }

  protected override _error(error: unknown): void {
    this.#end(() => {
      if (this.#error === undefined) this.#destination.error(error)
      else this.#error(error)
    })
  }

  protected override _complete(): void {
    this.#end(() => {
      if (this.#complete === undefined) this.#destination.complete()
      else this.#complete()
    })
  }

  override unsubscribe(): void {
    const isFirst = !this.closed
    super.unsubscribe()
    if (isFirst) this.#finalize?.()
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
