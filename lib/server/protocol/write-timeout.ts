// Whoever is sent something takes some of it within a time, or is told to have stalled; one timer, re-armed when it fires.

export interface TakingLimit {
  /** Something is waiting to be taken, or nothing is. */
  waits(something: boolean): void
  /** Some of it was taken. */
  taken(): void
  stop(): void
}

/** @param stalled called once, when something has waited for `limitMs` milliseconds and nothing was taken meanwhile */
export function takingLimit(limitMs: number, stalled: () => void): TakingLimit {
  let timer: NodeJS.Timeout | undefined
  let isWaiting = false
  let since = 0 // when something was taken last, or began to wait

  const arm = (delayMs: number): void => {
    timer = setTimeout(() => {
      timer = undefined
      if (!isWaiting) return
      const left = since + limitMs - performance.now()
      if (left > 0) arm(left)
      else stalled()
    }, delayMs)
  }
  return {
    waits: (something) => {
      if (something && !isWaiting) {
        since = performance.now()
        if (timer === undefined) arm(limitMs)
      }
      isWaiting = something
    },
    taken: () => {
      since = performance.now()
    },
    stop: () => {
      clearTimeout(timer)
    },
  }
}
