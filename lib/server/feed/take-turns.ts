// Work that others should not notice is done in steps of which few fit into one turn of the event loop.

/** Milliseconds of one turn. */
const turnMs = 4

const waiting = new Set<() => void>()
let turn: NodeJS.Immediate | undefined

/**
 * Calls the step once, in a coming turn of the event loop, behind those that wait already; the whole process has one queue.
 * Returns what takes the step back. A step does not throw.
 */
export function inTurn(step: () => void): () => void {
  waiting.add(step)
  turn ??= setImmediate(work)
  return () => {
    waiting.delete(step)
  }
}

function work(): void {
  turn = undefined
  const until = performance.now() + turnMs
  for (const step of waiting) {
    waiting.delete(step)
    step()
    if (performance.now() >= until) break
  }
  if (waiting.size > 0) turn ??= setImmediate(work)
}
