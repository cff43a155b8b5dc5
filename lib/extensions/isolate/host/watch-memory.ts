// Ends a worker that uses more memory than it may.
// Guarantees: its heap and its buffers both count; a loop that never ends is measured too.
import type { Worker } from 'node:worker_threads'
import { Failure } from '../../../streams/values/failure.ts'

/** Milliseconds between two measurements, with work and without. */
const [busyMs, idleMs] = [100, 1_000]
const mebibyte = 1_048_576

/**
 * V8's own limit stands far above the measured one: a heap that reaches V8's limit by one large allocation ends the whole
 * process, not the worker alone. It is the last resort against a loop between two measurements.
 */
export function hardLimitMb(limitMb: number): number {
  return limitMb + 2_048
}

export interface MemoryLimits {
  readonly limitMb: number
  /** True while a call is open. */
  isBusy(): boolean
  onOver(failure: Failure): void
}

/** Measures until it is stopped. It keeps no process alive. */
export function watchMemory(worker: Worker, { limitMb, isBusy, onOver }: MemoryLimits): { stop(): void } {
  const state = { isMeasuring: false, stopped: false, lastAt: 0 }
  const take = (used: number): void => {
    state.isMeasuring = false
    if (used > limitMb * mebibyte && !state.stopped) onOver(overLimit(used, limitMb))
  }
  const ticks = setInterval(() => {
    const now = performance.now()
    if (state.isMeasuring || (!isBusy() && now - state.lastAt < idleMs)) return
    state.isMeasuring = true
    state.lastAt = now
    worker.getHeapStatistics().then(
      ({ used_heap_size: heap, external_memory: buffers }) => {
        take(heap + buffers)
      },
      () => {
        state.isMeasuring = false // the worker has not started yet, or has ended
      },
    )
  }, busyMs)
  ticks.unref()
  return {
    stop: () => {
      state.stopped = true
      clearInterval(ticks)
    },
  }
}

function overLimit(used: number, limitMb: number): Failure {
  const usedMb = Math.ceil(used / mebibyte)
  return new Failure('overloaded', `it used ${usedMb} MiB of memory, and may use ${limitMb}`)
}
