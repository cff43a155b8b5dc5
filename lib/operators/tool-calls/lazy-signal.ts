// Makes the abort signal of a tool call, when it is first read.

/** An abort signal that records if the tool took it: such a tool ends by itself. */
export interface LazySignal {
  /** Reading it takes it. */
  readonly signal: AbortSignal
  /** True once the tool has read it. */
  readonly taken: boolean
  /** The first one counts; after `settle` it does nothing. @param name of the reason, a DOMException */
  readonly abort: (name: 'AbortError' | 'TimeoutError', message: string) => void
  /** The call has its result: the signal does not abort any more. */
  readonly settle: () => void
}

/**
 * The controller is made when the signal is read: making and aborting one (its reason is an exception with a stack) for
 * every call took 30 % of a turn with a synchronous tool (`npm run bench tool-turns`).
 */
export function createLazySignal(): LazySignal {
  let controller: AbortController | undefined
  let taken = false
  let isSettled = false
  let reason: readonly [message: string, name: string] | undefined
  return {
    get signal() {
      taken = true
      controller ??= new AbortController()
      if (reason !== undefined) controller.abort(new DOMException(...reason))
      return controller.signal
    },
    get taken() {
      return taken
    },
    abort: (name, message) => {
      if (isSettled || reason !== undefined) return
      reason = [message, name]
      controller?.abort(new DOMException(...reason))
    },
    settle: () => {
      isSettled = true
    },
  }
}
