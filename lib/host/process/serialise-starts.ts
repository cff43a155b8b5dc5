// Starting a process holds up the event loop while the system copies this one's page tables: one start at a time, others in between.

const waiting = new Set<() => void>()
let others: NodeJS.Immediate | undefined

/**
 * Calls `start` at once where no other start was just now, else behind those that wait already, one in every third turn of the
 * event loop: what is heard between two starts is also answered between them. The whole process has one queue.
 * Returns what takes a start back that was not called yet. A start does not throw.
 */
export function queueStart(start: () => void): () => void {
  if (others === undefined) begin(start)
  else waiting.add(start)
  return () => {
    waiting.delete(start)
  }
}

function begin(start: () => void): void {
  // one turn to hear, one to answer: what is written at a turn's end comes behind the immediates that were there before
  others = setImmediate(() => {
    others = setImmediate(beginNext)
  })
  start()
}

function beginNext(): void {
  others = undefined
  const [start] = waiting
  if (start === undefined) return
  waiting.delete(start)
  begin(start)
}
