// Schedules work on Node's event loop: slices of background work, and the end of a tick.
import type { SessionRecord } from '../../streams/log/log-line.ts'

/** Milliseconds of background work in one turn of the event loop. */
const sliceMs = 4

const waiting = new Set<() => void>()
let turn: NodeJS.Immediate | undefined

/**
 * Calls the step once, in a coming turn of the event loop, after the steps that wait already; the process has one
 * queue. Returns a function that cancels the step. A step does not throw.
 */
export function yieldToEventLoop(step: () => void): () => void {
  waiting.add(step)
  turn ??= setImmediate(runSlice)
  return () => {
    waiting.delete(step)
  }
}

function runSlice(): void {
  turn = undefined
  const until = performance.now() + sliceMs
  for (const step of waiting) {
    waiting.delete(step)
    step()
    if (performance.now() >= until) break
  }
  if (waiting.size > 0) turn ??= setImmediate(runSlice)
}

/**
 * Calls `act` at the end of the tick that began with this record, and returns a function that cancels it. For a piece
 * of a message that is the end of the current callback, which reads from the model: another turn of the event loop
 * costs three times as much. For any other record it is the next turn: the request that the record leads to is sent
 * first.
 */
export function endOfTick(act: () => void, { event }: SessionRecord): () => void {
  if (event.type !== 'message_update') {
    const immediate = setImmediate(act)
    return () => {
      clearImmediate(immediate)
    }
  }
  let isCancelled = false
  process.nextTick(() => {
    if (!isCancelled) act()
  })
  return () => {
    isCancelled = true
  }
}
