// Claims a socket path for this process: takes its lock, then removes a dead server's socket.
// Guarantees: one server at most has a path.
import { unlinkSync } from 'node:fs'
import { defer, finalize, map, retry, throwError, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import { takeSocketLock } from '../../services/locks/socket-lock.ts'
import { Failure, describeThrown } from '../../streams/values/failure.ts'
import { probeServer } from './probe-server.ts'
import { checkSocketFolder, checkSocket } from './check-socket.ts'
import type { HelloFrame } from '../protocol/frame.ts'

export interface SocketClaim {
  /** Nothing is there now. */
  readonly path: string
  /** Releases the lock; a second call does nothing. */
  release(): void
}

/** Milliseconds that the lock's holder has for its `hello`. */
const holderTimeoutMs = 5_000
/** Milliseconds between checks of a server that is starting, and their number. */
const checkDelayMs = 50
const maxChecks = 100

/**
 * Emits once, when this process has the path, and completes. Waits up to 5 s for another process that is starting, so
 * that the failure can name it. Fails with `server_running` (its `data`: pid, version, socket), `unsafe_socket` or
 * `storage`.
 */
export function claimSocket(path: string): Observable<SocketClaim> {
  return defer(() => tryClaim(path)).pipe(
    retry({
      count: maxChecks,
      delay: (error: unknown) => (isStarting(error) ? timer(checkDelayMs) : throwError(() => Failure.from(error))),
    }),
  )
}

function tryClaim(path: string): Observable<SocketClaim> {
  checkSocketFolder(path, { make: true })
  const lock = takeSocketLock(path)
  if ('heldBy' in lock) return failWithHolder(path, lock.heldBy)
  let isClaimed = false
  return probeAndClean(path).pipe(
    map((server) => {
      if (server !== undefined) throw alreadyRunning(path, server)
      isClaimed = true
      return { path, release: lock.release }
    }),
    finalize(() => {
      if (!isClaimed) lock.release()
    }),
  )
}

/** Fails with the process that holds the lock. */
function failWithHolder(path: string, pid: number | undefined): Observable<never> {
  const other$ = checkSocket(path) ? probeServer(path, holderTimeoutMs) : throwError(() => notAnswering(path, pid))
  return other$.pipe(
    map((probe) => {
      if (!probe.alive) throw notAnswering(path, pid)
      throw alreadyRunning(path, probe.server ?? (pid === undefined ? {} : { pid }))
    }),
  )
}

/**
 * Emits the server that listens without a lock that this process sees; undefined, and no socket is left, if none
 * listens.
 */
function probeAndClean(path: string): Observable<Partial<HelloFrame['server']> | undefined> {
  return defer(() => (checkSocket(path) ? probeServer(path) : [{ alive: false } as const])).pipe(
    map((probe) => {
      if (probe.alive) return probe.server ?? {}
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

function alreadyRunning(path: string, { pid, version }: Partial<HelloFrame['server']>): Failure {
  const details = [
    pid === undefined ? [] : [`process ${pid}`],
    version === undefined ? [] : [`version ${version}`],
  ].flat()
  const other = details.length === 0 ? 'a process that does not identify itself' : details.join(', ')
  const message = `A server listens at ${path} already: ${other}; use it, end it with rxpi stop, or choose another socket`
  return new Failure('server_running', message, { data: { pid, version, socket: path } })
}

function notAnswering(path: string, pid: number | undefined): Failure {
  const holder = pid === undefined ? 'Another process' : `Process ${pid}`
  const message = `${holder} holds the socket ${path} and does not answer; try again, or end that process`
  return new Failure('server_running', message, { data: { pid, socket: path, starting: true } })
}

function isStarting(error: unknown): boolean {
  return error instanceof Failure && error.data['starting'] === true
}
