// One server at a path: who holds the socket's lock may look, remove what a dead server left, and bind; nobody else.
import { unlinkSync } from 'node:fs'
import { defer, finalize, map, retry, throwError, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import { takeSocketLock } from '../../services/locks/socket-lock.ts'
import { Failure } from '../../streams/values/failure.ts'
import { probeServer } from './probe-server.ts'
import { checkSocketFolder } from './check-socket.ts'
import { checkSocket } from './check-socket.ts'
import type { HelloFrame } from '../protocol/frame.ts'
import { describeThrown } from '../../streams/values/failure.ts'

export interface SocketClaim {
  /** Where nothing stands now. */
  readonly path: string
  /** Lets others have it; a second call does nothing. */
  release(): void
}

/** Milliseconds for the holder of the lock to greet: it is there, so that its name is worth waiting for. */
const patience = 5_000
/** Milliseconds between looks at a server that is just starting, and how often. */
const pause = 50
const looks = 100

/**
 * Emits once, when the path is ours and free, and completes. Waits up to 5 s for another process that is just starting, to be
 * able to say who it is. Fails with `server_running` (its `data`: pid, version, socket), `unsafe_socket` or `storage`.
 */
export function claimSocket(path: string): Observable<SocketClaim> {
  return defer(() => attempt(path)).pipe(
    retry({
      count: looks,
      delay: (error: unknown) => (isStarting(error) ? timer(pause) : throwError(() => Failure.from(error))),
    }),
  )
}

function attempt(path: string): Observable<SocketClaim> {
  checkSocketFolder(path, { make: true })
  const lock = takeSocketLock(path)
  if ('heldBy' in lock) return heldBy(path, lock.heldBy)
  let isClaimed = false
  return askedAt(path).pipe(
    map((server) => {
      if (server !== undefined) throw running(path, server)
      isClaimed = true
      return { path, release: lock.release }
    }),
    finalize(() => {
      if (!isClaimed) lock.release()
    }),
  )
}

/** Fails always. */
function heldBy(path: string, pid: number | undefined): Observable<never> {
  const other$ = checkSocket(path) ? probeServer(path, patience) : throwError(() => starting(path, pid))
  return other$.pipe(
    map((asked) => {
      if (!asked.alive) throw starting(path, pid)
      throw running(path, asked.server ?? (pid === undefined ? {} : { pid }))
    }),
  )
}

/** Who listens without holding the lock, which may be out of this process's sight; nothing, and nobody's socket left, where nobody does. */
function askedAt(path: string): Observable<Partial<HelloFrame['server']> | undefined> {
  return defer(() => (checkSocket(path) ? probeServer(path) : [{ alive: false } as const])).pipe(
    map((asked) => {
      if (asked.alive) return asked.server ?? {}
      removeStale(path)
      return undefined
    }),
  )
}

function removeStale(path: string): void {
  try {
    unlinkSync(path)
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return
    const why = describeThrown(cause)
    throw new Failure('storage', `Cannot remove the socket that a dead server left, ${path}: ${why}`, { cause })
  }
}

function running(path: string, { pid, version }: Partial<HelloFrame['server']>): Failure {
  const who = [pid === undefined ? [] : [`process ${pid}`], version === undefined ? [] : [`version ${version}`]].flat()
  const named = who.length === 0 ? 'something that does not say who it is' : who.join(', ')
  const message = `A server listens at ${path} already: ${named}; use it, end it with rxpi stop, or choose another socket`
  return new Failure('server_running', message, { data: { pid, version, socket: path } })
}

function starting(path: string, pid: number | undefined): Failure {
  const who = pid === undefined ? 'Another process' : `Process ${pid}`
  const message = `${who} has taken the socket ${path} and does not answer there; try again, or end that process`
  return new Failure('server_running', message, { data: { pid, socket: path, starting: true } })
}

function isStarting(error: unknown): boolean {
  return error instanceof Failure && error.data['starting'] === true
}
