// Starts processes one at a time.
// Each start blocks the event loop while the system copies page tables.

const waiting = new Set<() => void>()
let nextTurn: NodeJS.Immediate | undefined

/**
 * Calls `start` at once if no other start was just now, else after the queued ones, one in every third turn of the
 * event loop: input between two starts is also answered between them. One queue for the whole process. Returns a
 * function that cancels a queued start. A start does not throw.
 */
export function queueStart(start: () => void): () => void {
  if (nextTurn === undefined) begin(start)
  else waiting.add(start)
  return () => {
    waiting.delete(start)
  }
}

function begin(start: () => void): void {
  // one turn to read, one to answer: writes at a turn's end follow the immediates that were queued before
  nextTurn = setImmediate(() => {
    nextTurn = setImmediate(beginNext)
  })
  start()
}

function beginNext(): void {
  nextTurn = undefined
  const [start] = waiting
  if (start === undefined) return
  waiting.delete(start)
  begin(start)
}
