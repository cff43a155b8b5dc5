// Lets the guardian end this process if its main thread is stuck (docs/design/security.md#S27).
// Guarantees: only CPU time counts, so a process that was stopped, swapped out or suspended is not ended.
import { NEVER, Observable } from 'rxjs'
import { endWatch, letGuardianReport, setWatch } from './guardian.ts'
import type { Watch, WatchName } from './guardian.ts'

export interface WatchOptions {
  /** The process's `--timeout`; a main thread that does not notice its end is ended soon after. */
  readonly timeoutMs?: number | undefined
  /** Default: `defaultWatchTimes`. */
  readonly times?: WatchTimes
}

export interface WatchTimes {
  /** CPU time without a turn of the event loop after which the process is ended. */
  readonly busyCpuMs: number
  /** The same after the time-out. */
  readonly lateCpuMs: number
  /** Milliseconds between the guardian's checks. */
  readonly checkMs: number
  /** Milliseconds between the reports of this process, which it leaves out while it uses no CPU time. */
  readonly beatMs: number
  /** Milliseconds until the guardian is started, if there is no time-out: a short command never pays for it. */
  readonly startMs: number
}

/** No step of rxpi computes for longer than about 100 ms. */
export const defaultWatchTimes: WatchTimes = {
  busyCpuMs: 10_000,
  lateCpuMs: 2_000,
  checkMs: 2_000,
  beatMs: 2_500,
  startMs: 1_000,
}

/**
 * Watches while subscribed, and never emits. Does not keep the event loop alive. Without Linux's /proc it does nothing.
 * A program that embeds rxpi does not call it: its main thread is its own.
 */
export function watchMainThread({ timeoutMs, times = defaultWatchTimes }: WatchOptions = {}): Observable<never> {
  if (process.platform !== 'linux') return NEVER
  return new Observable(() => {
    letGuardianReport()
    const timers: NodeJS.Timeout[] = []
    const startBeats = (): void => {
      const beat = createBeat(times)
      beat()
      timers.push(setInterval(beat, times.beatMs).unref())
    }
    if (timeoutMs === undefined) timers.push(setTimeout(startBeats, times.startMs).unref())
    else {
      watchTimeout(timeoutMs, times)
      startBeats()
      timers.push(setTimeout(endWatch, timeoutMs, 'late').unref()) // the event loop turns: the run ends by itself
    }
    return () => {
      for (const timer of timers) clearTimeout(timer)
      endWatch('busy')
      endWatch('late')
    }
  })
}

/**
 * Returns a function that reports a turn of the event loop to the guardian, if CPU time was used since the last report.
 */
function createBeat({ busyCpuMs, checkMs }: WatchTimes): () => void {
  let reportedMs: number | undefined
  return () => {
    const { user, system } = process.cpuUsage()
    const usedMs = (user + system) / 1_000
    if (reportedMs !== undefined && usedMs - reportedMs < busyCpuMs / 10) return
    const message = `rxpi: process ${process.pid} was ended: it computed for ${busyCpuMs / 1_000} s and answered nothing`
    if (trySetWatch('busy', { from: 0, cpuMs: busyCpuMs, checkMs, message })) reportedMs = usedMs
  }
}

function watchTimeout(timeoutMs: number, { lateCpuMs: cpuMs, checkMs }: WatchTimes): void {
  const message = `rxpi: process ${process.pid} was ended: it computed on after its time-out`
  trySetWatch('late', { from: performance.now() + timeoutMs, cpuMs, checkMs: Math.min(checkMs, 1_000), message })
}

/** Whether the guardian could be started. If not, it gets all watches when it is. */
function trySetWatch(name: WatchName, watch: Watch): boolean {
  try {
    setWatch(name, watch)
    return true
  } catch {
    return false // for want of descriptors, for example: the next beat tries again
  }
}
