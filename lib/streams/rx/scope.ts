// A life time that ends everything bound to it: once, newest first.
import { Observable, ReplaySubject, takeUntil } from 'rxjs'
import type { MonoTypeOperatorFunction } from 'rxjs'

/** A life time: call ⊂ run ⊂ session. */
export interface Scope {
  readonly ended: boolean
  /** Emits once when the scope ends, at once if it has ended, and completes. */
  readonly end$: Observable<void>
  /** Completes the source when the scope ends; after the end the source is not subscribed. */
  bind<Value>(): MonoTypeOperatorFunction<Value>
  /** Runs when the scope ends (at once if it has); newest first. A throw does not keep the others from running. */
  onEnd(finish: () => void): void
  /** A child scope: it ends with this one, or earlier by itself. */
  child(): Scope
  /** Ends the scope; a second call does nothing. Rethrows the first throw of a finisher after all have run. */
  end(): void
}

/** Creates a lifetime that others can end in and be bound to. It ends by `end`, or with the scope that it is a child of. */
export function scope(): Scope {
  const ended$ = new ReplaySubject<void>(1)
  const finishers = new Set<() => void>()
  let ended = false
  const self: Scope = {
    get ended() {
      return ended
    },
    end$: new Observable((subscriber) => ended$.subscribe(subscriber)),
    bind: () => takeUntil(ended$),
    onEnd: (finish) => {
      if (ended) finish()
      else finishers.add(finish)
    },
    child: () => {
      const inner = scope()
      const endInner = (): void => {
        inner.end()
      }
      self.onEnd(endInner)
      inner.onEnd(() => finishers.delete(endInner)) // a long-lived scope must not collect its ended children
      return inner
    },
    end: () => {
      if (ended) return
      ended = true
      const thrown = runAll([...finishers].reverse())
      finishers.clear()
      ended$.next()
      ended$.complete()
      if (thrown.length > 0) throw thrown[0]
    },
  }
  return self
}

function runAll(finishers: readonly (() => void)[]): unknown[] {
  const thrown: unknown[] = []
  for (const finish of finishers) {
    try {
      finish()
    } catch (error) {
      thrown.push(error)
    }
  }
  return thrown
}
