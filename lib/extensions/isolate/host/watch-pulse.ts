// Ends a worker that stands still outside of the calls that have a time limit.
import { Failure } from '../../../streams/values/failure.ts'
import type { LinkMessage } from '../link/link-messages.ts'

/** Milliseconds without an answer. */
const defaultStillMs = 30_000

export interface PulseOptions {
  readonly stillMs?: number | undefined
  /** Sends pings, which the worker answers from its event loop. */
  post(message: LinkMessage): void
  /** The names of the open calls. All but commands have a time limit of their own: a tool may compute for long. */
  open(): readonly string[]
  onStill(failure: Failure): void
}

export interface Pulse {
  onPong(): void
  stop(): void
}

/**
 * Commands have no time limit, and neither have the timers of an extension: an endless loop in one is noticed here. Keeps no
 * process alive.
 */
export function watchPulse({ stillMs = defaultStillMs, post, open, onStill }: PulseOptions): Pulse {
  let lateTicks = 0
  const ticks = setInterval(() => {
    lateTicks = open().some((call) => call !== 'command') ? 0 : lateTicks + 1
    if (lateTicks > 3) onStill(new Failure('timeout', `it stood still for ${stillMs / 1000} s`))
    else post({ kind: 'ping' })
  }, stillMs / 3)
  ticks.unref()
  return {
    onPong: () => {
      lateTicks = 0
    },
    stop: () => {
      clearInterval(ticks)
    },
  }
}
