// Detects a reader that takes nothing for a time; uses one timer, re-armed when it fires.

export interface WriteTimeout {
  /** Says whether data waits for the reader. */
  setWaiting(isWaiting: boolean): void
  /** Restarts the time, because the reader has taken some data. */
  restart(): void
  stop(): void
}

/** @param onStall called once, when data has waited for `limitMs` milliseconds and none was taken */
export function writeTimeout(limitMs: number, onStall: () => void): WriteTimeout {
  let timer: NodeJS.Timeout | undefined
  let isWaiting = false
  let since = 0 // the last time that data was taken or began to wait

  const arm = (delayMs: number): void => {
    timer = setTimeout(() => {
      timer = undefined
      if (!isWaiting) return
      const left = since + limitMs - performance.now()
      if (left > 0) arm(left)
      else onStall()
    }, delayMs)
  }
  return {
    setWaiting: (waits) => {
      if (waits && !isWaiting) {
        since = performance.now()
        if (timer === undefined) arm(limitMs)
      }
      isWaiting = waits
    },
    restart: () => {
      since = performance.now()
    },
    stop: () => {
      clearTimeout(timer)
    },
  }
}
