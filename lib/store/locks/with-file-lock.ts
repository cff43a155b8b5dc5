// Serialises processes that read, change and replace one file: one works at a time, the others wait.
import path from 'node:path'
import { defer, finalize, mergeMap, throwError, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import { takeLock } from './session-lock.ts'
import type { SessionLock } from './session-lock.ts'

/** Milliseconds between two attempts. */
const retryMs = 20
/** Milliseconds after which a caller gives up. */
const maxWaitMs = 15_000

/**
 * Subscribes to `work()` while this process holds `<file>.lock`; removes the lock when that ends or the subscriber
 * leaves. Waits up to 15 s for a living holder, as a change takes milliseconds. The file's folder must exist.
 * @param file absolute; free of symbolic links if it has more than one name (`realTarget`)
 * @returns what `work` emits; fails with its error, or with a Failure `storage` naming the holder
 */
export function withFileLock<Value>(file: string, work: () => Observable<Value>): Observable<Value> {
  return defer(() => {
    const begunAt = performance.now()
    function attempt(): Observable<Value> {
      return defer(() => {
        const lock = tryToLock(file)
        if (!(lock instanceof Failure)) return defer(work).pipe(finalize(lock.release))
        if (performance.now() - begunAt > maxWaitMs) return throwError(() => lock)
        return timer(retryMs).pipe(mergeMap(attempt))
      })
    }
    return attempt()
  })
}

/** The lock, or the failure if a living process holds it. */
function tryToLock(file: string): SessionLock | Failure {
  try {
    return takeLock({ file, sessionId: path.basename(file) })
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === 'session_locked') return heldFailure(file, thrown)
    throw thrown
  }
}

function heldFailure(file: string, { data, cause }: Failure): Failure {
  const who = typeof data['pid'] === 'number' ? `process ${data['pid']}` : 'another process'
  return new Failure('storage', `${file} is being changed by ${who}; try again later`, { cause })
}
