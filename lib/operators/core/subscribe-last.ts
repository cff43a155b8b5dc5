// Where a chain ends, at one call a value.
import { Subscriber } from 'rxjs'
import type { Observable } from 'rxjs'
import { reportUnhandled } from './report-unhandled.ts'

/**
 * Subscribes to `source$`, for good. As `source$.subscribe(handle)`, where rxjs takes four calls a value, for a `handle` that
 * does not throw. A failure of the source goes to rxjs' `config.onUnhandledError`, or becomes an `uncaughtException`.
 */
export function subscribeLast<Value>(source$: Observable<Value>, handle: (value: Value) => void): void {
  source$.subscribe(new LastSubscriber(handle))
}

/* eslint-disable rxjs-x/no-subclass -- as in subscribe-inner.ts */
/* oxlint-disable typescript/no-deprecated -- as rxjs-x/no-subclass */
class LastSubscriber<Value> extends Subscriber<Value> {
  override next: (value: Value) => void

  constructor(handle: (value: Value) => void) {
    super()
    this.next = handle
  }

  protected override _error(error: unknown): void {
    reportUnhandled(error)
    this.unsubscribe()
  }

  override unsubscribe(): void {
    this.next = nothing
    super.unsubscribe()
  }
}

function nothing(): void {
  // what comes too late is nobody's
}
