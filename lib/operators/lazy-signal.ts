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

export function lazySignal(): LazySignal {
  const controller = new AbortController()
  let taken = false
  return {
    get signal() {
      taken = true
      return controller.signal
    },
    get taken() {
      return taken
    },
    take: () => {
      taken = true
    },
    abort: () => {
      controller.abort()
    },
  }
}
