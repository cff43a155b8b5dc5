// An AbortSignal that knows whether anybody took it: who takes it says that it ends by itself.

export interface LazySignal {
  /** Reading it takes it. */
  readonly signal: AbortSignal
  /** True once somebody took it. */
  readonly taken: boolean
  /** Has the same effect as taking it. */
  take(): void
  readonly abort: () => void
}

/**
 * The controller is made when the signal is read: making and aborting one (its reason is an exception with a stack) for
 * every call took 30 % of a turn with a synchronous tool (`npm run bench tool-turns`).
 */
export function lazySignal(): LazySignal {
  let controller: AbortController | undefined
  let taken = false
  let aborted = false
  return {
    get signal() {
      taken = true
      controller ??= new AbortController()
      if (aborted) controller.abort()
      return controller.signal
    },
    get taken() {
      return taken
    },
    take: () => {
      taken = true
    },
    abort: () => {
      aborted = true
      controller?.abort()
    },
  }
}
