// Where a chain ends: one call a value, and what the handler throws is reported like that of any subscriber.
import { Subscriber, throwError } from 'rxjs'
import type { Observable } from 'rxjs'

/**
 * Subscribes to `source$`, for good. As `source$.subscribe(handle)`, where rxjs takes four calls a value: what `handle`
 * throws, and a failure of the source, goes to rxjs' `config.onUnhandledError`, or becomes an `uncaughtException`.
 */
export function subscribeLast<Value>(source$: Observable<Value>, handle: (value: Value) => void): void {
  source$.subscribe(new LastSubscriber(handle))
}

/* eslint-disable rxjs-x/no-subclass, @typescript-eslint/no-deprecated -- as in subscribe-inner.ts */
class LastSubscriber<Value> extends Subscriber<Value> {
  readonly #handle: (value: Value) => void

  constructor(handle: (value: Value) => void) {
    super()
    this.#handle = handle
  }

  override next(value: Value): void {
    if (this.isStopped) return
    try {
      this.#handle(value)
    } catch (thrown) {
      report(thrown)
    }
  }

  protected override _error(error: unknown): void {
    report(error)
    this.unsubscribe()
  }
}

function report(error: unknown): void {
  // eslint-disable-next-line rxjs-x/throw-error -- as it was thrown; nobody handles it here, and rxjs tells
  throwError(() => error).subscribe()
}
