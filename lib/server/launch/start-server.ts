// A background server is a process, session and folder of its own: it outlives its client, and takes connections when it is told of.
import { spawn } from 'node:child_process'
import { closeSync, readFileSync, constants, fchmodSync, fstatSync, ftruncateSync, openSync } from 'node:fs'
import { EMPTY, Observable, catchError, defer, map, merge, mergeMap, retry, take, throwError, timer } from 'rxjs'
import { socketHolder } from '../../services/locks/socket-lock.ts'
import { Failure } from '../../streams/values/failure.ts'
import { connectSocket } from '../socket/connect-socket.ts'
import { memorySettings } from './memory-settings.ts'
import type { Transport } from '../protocol/transport.ts'
import { checkSocketFolder } from '../socket/check-socket.ts'
import { describeThrown } from '../../streams/values/failure.ts'
import { userInfo } from 'node:os'
import { isAbsolute } from 'node:path'

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

// What a background server says goes to a private file beside its socket, which nobody can have put a link in the place of.

/** Bytes after which it begins anew. */
const enough = 1_048_576

interface ServerLog {
  readonly path: string
  /** Open for appending; its taker's to close. */
  readonly descriptor: number
  /** Bytes that others have written. */
  readonly size: number
}

/** `<socket>.log`, mode 0600, in a checked folder. @throws Failure `unsafe_socket` or `storage` */
export function openServerLog(socket: string): ServerLog {
  checkSocketFolder(socket, { make: true })
  const path = `${socket}.log`
  const descriptor = opened(path)
  try {
    const status = fstatSync(descriptor)
    if (!status.isFile() || status.uid !== process.geteuid?.() || status.nlink !== 1) throw unsafe(path)
    fchmodSync(descriptor, 0o600)
    if (status.size <= enough) return { path, descriptor, size: status.size }
    ftruncateSync(descriptor)
    return { path, descriptor, size: 0 }
  } catch (thrown) {
    closeSync(descriptor)
    throw thrown
  }
}

function opened(path: string): number {
  const { O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW, O_NONBLOCK } = constants
  try {
    return openSync(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK, 0o600)
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ELOOP') throw unsafe(path)
    const why = describeThrown(cause)
    throw new Failure('storage', `Cannot open the server's log ${path}: ${why}`, { cause })
  }
}

function unsafe(path: string): Failure {
  return new Failure('unsafe_socket', `${path} is no plain file of ours; remove it`, { data: { path } })
}

// A server that a client starts takes nothing from that client but where this user keeps his files (SECURITY S7).

/** Taken over where they hold an absolute path: what says where things are, not what is in them. */
const places = [
  'HOME',
  'RXPI_HOME',
  'XDG_RUNTIME_DIR',
  'XDG_STATE_HOME',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_CACHE_HOME',
] as const

/**
 * Returns the whole environment of a background server: a fixed PATH and LANG, the account's names, the folders, the allocator's
 * settings, and that a client started it. Keys, proxies and all else come with each session from its client.
 */
export function serverEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept = places.flatMap((name) => {
    const value = env[name]
    return value !== undefined && isAbsolute(value) ? [[name, value] as const] : []
  })
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
    LANG: 'C.UTF-8',
    ...account(),
    ...Object.fromEntries(kept),
    ...Object.fromEntries(memorySettings('malloc', env).map(({ key, value }) => [key, value])),
    ...withoutSettings(env),
    RXPI_STARTED_BY: 'client',
  }
}

/** Names of settings that the server leaves out as well; no other text of the client passes. */
function withoutSettings({ RXPI_WITHOUT: names = '' }: Readonly<Record<string, string | undefined>>): object {
  return /^[a-z][a-z,-]*$/.test(names) ? { RXPI_WITHOUT: names } : {}
}

function account(): Record<string, string> {
  try {
    const { username, homedir } = userInfo()
    return { HOME: homedir, USER: username, LOGNAME: username }
  } catch {
    return {} // a user without an entry in the system's table; the client's HOME must do
  }
}
