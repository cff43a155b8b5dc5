// Holds named locks for subscribers: writers exclude all others, readers only writers.
// Guarantees: first come, first served among requests that clash; a request takes all of its names at once or none.
import { Observable } from 'rxjs'
import type { Locks, ToolLocks } from '../ports/locks.ts'
import { trampoline } from './trampoline.ts'

interface LockRequest {
  readonly names: ToolLocks
  onHeld(): void
}

/** Locks in the memory of this process. A request that clashes with none is served synchronously. */
export function namedLocks(): Locks {
  const held = new Set<LockRequest>()
  const waiting = new Set<LockRequest>() // in the order of their subscriptions

  const serve = trampoline(() => {
    for (const request of waiting) {
      if (clashes(request, held) || clashes(request, waiting)) continue
      waiting.delete(request)
      held.add(request)
      request.onHeld()
      return true // the receiver may have released or requested locks
    }
    return false
  })
  return {
    hold: (names) =>
      new Observable((subscriber) => {
        const request = { names, onHeld: () => subscriber.next() }
        waiting.add(request)
        subscriber.add(() => {
          waiting.delete(request)
          held.delete(request)
          serve()
        })
        serve()
      }),
  }
}

/** Compares with the requests before this one; all, if it is not among them. */
function clashes(request: LockRequest, others: Iterable<LockRequest>): boolean {
  for (const other of others) {
    if (other === request) return false
    if (isLockClash(request.names, other.names)) return true
  }
  return false
}

/** True if one of the two writes a name that the other reads or writes. */
export function isLockClash(left: ToolLocks, right: ToolLocks): boolean {
  return isTaken(left.write, right) || isTaken(right.write, left)
}

function isTaken(written: readonly string[] = [], { read = [], write = [] }: ToolLocks): boolean {
  return written.some((name) => read.includes(name) || write.includes(name))
}
