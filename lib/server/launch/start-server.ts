// A background server is a process, session and folder of its own: it outlives its client, and takes connections when it is told of.
import { spawn } from 'node:child_process'
import { closeSync, readFileSync } from 'node:fs'
import { EMPTY, Observable, catchError, defer, map, merge, mergeMap, retry, take, throwError, timer } from 'rxjs'
import { socketHolder } from '../../services/locks/socket-holder.ts'
import { Failure } from '../../streams/values/failure.ts'
import { connectSocket } from '../socket/connect-socket.ts'
import type { ServerLog } from './open-server-log.ts'
import { openServerLog } from './open-server-log.ts'
import { serverEnvironment } from './server-environment.ts'
import type { Transport } from '../protocol/transport.ts'

export interface StartServerOptions {
  readonly socket: string
  /** The program that serves at `socket` in the foreground, absolute, and its arguments. */
  readonly command: readonly [program: string, ...args: string[]]
  /** The client's own; hardly anything of it is passed on: see `serverEnvironment`. */
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface StartedServer {
  /** Connected to the server: the started one, or another that was quicker. */
  readonly transport: Transport
  /** Where a started server writes what it has to say. */
  readonly log: string
}

/** Milliseconds until a started server takes connections, at most. */
const patience = 15_000
const pause = 10

/**
 * Starts it, emits when it takes connections, and completes. Fails with `no_server` and what it said where it ended before
 * and nobody else is about to listen, or where 15 s were not enough. Unsubscribing ends the waiting, not the server.
 */
export function startServer({ socket, command, env }: StartServerOptions): Observable<StartedServer> {
  return defer(() => {
    const log = openServerLog(socket)
    const reached$ = connectSocket(socket)
    const ready$ = reached$.pipe(
      retry({
        delay: (error: unknown) => (isNobody(error) ? timer(pause) : throwError(() => Failure.from(error))),
      }),
    )
    // one that has ended may have found another there, or one that is about to listen, which is as good
    const instead$ = launched(command, env, log.descriptor).pipe(
      mergeMap((problem) =>
        reached$.pipe(
          catchError((error: unknown) =>
            isNobody(error) && socketHolder(socket) !== undefined
              ? EMPTY
              : throwError(() => unstarted(`${problem}: ${lastLine(log)}`, log.path)),
          ),
        ),
      ),
    )
    const late$ = timer(patience).pipe(
      mergeMap(() => throwError(() => unstarted(`takes no connections after ${patience / 1_000} s`, log.path))),
    )
    return merge(instead$, ready$, late$).pipe(
      take(1),
      map((transport) => ({ transport, log: log.path })),
    )
  })
}

/** Starts the process; emits when, and why, it has ended. Takes the descriptor. */
function launched(
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

function isNobody(error: unknown): boolean {
  return error instanceof Failure && error.code === 'no_server'
}

function unstarted(problem: string, log: string): Failure {
  return new Failure('no_server', `The server that was started ${problem}; see ${log}`, { data: { log } })
}

/** Of what the server has said. */
function lastLine({ path, size }: Pick<ServerLog, 'path' | 'size'>): string {
  const silence = 'it said nothing'
  try {
    const said = readFileSync(path).subarray(size).toString()
    return said.trimEnd().split('\n').at(-1) || silence
  } catch {
    return silence // the log is named in any case
  }
}
