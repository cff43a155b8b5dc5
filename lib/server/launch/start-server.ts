// Starts a server in the background and connects to it.
// Guarantees: the server outlives its client and gets nothing of its environment but folders
// (docs/design/security.md#S7).
import { spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import {
  EMPTY,
  Observable,
  catchError,
  defer,
  first,
  interval,
  map,
  merge,
  mergeMap,
  retry,
  take,
  throwError,
  timer,
} from 'rxjs'
import { socketHolder } from '../../services/locks/socket-lock.ts'
import { Failure } from '../../streams/values/failure.ts'
import { connectSocket } from '../socket/connect-socket.ts'
import type { Transport } from '../protocol/transport.ts'
import { serverEnvironment } from './server-environment.ts'
import { openServerLog, readLastLine } from './server-log-file.ts'

export interface StartServerOptions {
  readonly socket: string
  /** The absolute path of the program that serves at `socket` in the foreground, and its arguments. */
  readonly command: readonly [program: string, ...args: string[]]
  /** The client's environment, of which `serverEnvironment` passes the folders on. */
  readonly env: Readonly<Record<string, string | undefined>>
  /**
   * True: the server is no descendant of this process, for clients whose parent ends them with all descendants. Default:
   * false.
   */
  readonly isOrphan?: boolean
}

export interface StartedServer {
  /** Connected to the started server, or to another one that was quicker. */
  readonly transport: Transport
  /** The file that a started server writes its messages to. */
  readonly log: string
}

/** Milliseconds within which a started server must take connections. */
const startTimeoutMs = 15_000
const retryDelayMs = 10
/** Milliseconds between two looks whether a server that has no parent is alive. */
const aliveCheckMs = 50

/**
 * Starts a server, emits when it takes connections, and completes. Fails with `no_server` and its last message if it
 * ends before and no other server is about to listen, or after 15 s. Unsubscribing ends the waiting, not the server.
 */
export function startServer({ socket, command, env, isOrphan = false }: StartServerOptions): Observable<StartedServer> {
  return defer(() => {
    const log = openServerLog(socket)
    const reached$ = connectSocket(socket)
    const ready$ = reached$.pipe(
      retry({
        delay: (error: unknown) => (isNoServer(error) ? timer(retryDelayMs) : throwError(() => Failure.from(error))),
      }),
    )
    // a server ends if another one listens already, or is about to: the client uses that one
    const spawned$ = isOrphan ? spawnOrphan(command, env, log.descriptor) : spawnServer(command, env, log.descriptor)
    const otherServer$ = spawned$.pipe(
      mergeMap((problem) =>
        reached$.pipe(
          catchError((error: unknown) =>
            isNoServer(error) && socketHolder(socket) !== undefined
              ? EMPTY
              : throwError(() => startFailure(`${problem}: ${readLastLine(log)}`, log.path)),
          ),
        ),
      ),
    )
    const timedOut$ = timer(startTimeoutMs).pipe(
      mergeMap(() =>
        throwError(() => startFailure(`takes no connections after ${startTimeoutMs / 1_000} s`, log.path)),
      ),
    )
    return merge(otherServer$, ready$, timedOut$).pipe(
      take(1),
      map((transport) => ({ transport, log: log.path })),
    )
  })
}

/** Starts the process and closes the descriptor; emits the reason when the process has ended. */
function spawnServer(
  [program, ...args]: StartServerOptions['command'],
  env: StartServerOptions['env'],
  descriptor: number,
): Observable<string> {
  return new Observable((subscriber) => {
    const child = spawn(program, args, {
      cwd: '/',
      env: serverEnvironment(env),
      detached: true,
      stdio: ['ignore', 'ignore', descriptor],
    })
    closeSync(descriptor)
    child.unref()
    child.on('error', ({ message }) => {
      subscriber.next(`could not be started (${message})`)
    })
    child.on('exit', (code, signal) => {
      subscriber.next(`ended with ${code ?? signal ?? 'an error'}`)
    })
  })
}

/** A shell starts the process, tells its id, and ends. The reason lacks the exit code: no parent gets that. */
function spawnOrphan(
  command: StartServerOptions['command'],
  env: StartServerOptions['env'],
  descriptor: number,
): Observable<string> {
  return new Observable((subscriber) => {
    const shell = spawn('/bin/sh', ['-c', '"$@" >/dev/null & echo $!', 'rxpi', ...command], {
      cwd: '/',
      env: serverEnvironment(env),
      detached: true,
      stdio: ['ignore', 'pipe', descriptor],
    })
    closeSync(descriptor)
    shell.unref()
    shell.on('error', ({ message }) => {
      subscriber.next(`could not be started (${message})`)
    })
    shell.stdout?.once('data', (line: Buffer) => {
      const pid = Number(line.toString())
      subscriber.add(
        interval(aliveCheckMs)
          .pipe(first(() => !isAlive(pid)))
          .subscribe(() => {
            subscriber.next('ended')
          }),
      )
    })
  })
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function isNoServer(error: unknown): boolean {
  return error instanceof Failure && error.code === 'no_server'
}

function startFailure(problem: string, log: string): Failure {
  return new Failure('no_server', `The started server ${problem}; see ${log}`, { data: { log } })
}
