// Starts a server in the background and connects to it.
// Guarantees: the server outlives its client and gets nothing of its environment but folders
// (docs/design/security.md#S7).
import { spawn } from 'node:child_process'
import { closeSync, readFileSync, constants, fchmodSync, fstatSync, ftruncateSync, openSync } from 'node:fs'
import { EMPTY, Observable, catchError, defer, map, merge, mergeMap, retry, take, throwError, timer } from 'rxjs'
import { socketHolder } from '../../services/locks/socket-lock.ts'
import { Failure, describeThrown } from '../../streams/values/failure.ts'
import { connectSocket } from '../socket/connect-socket.ts'
import { memorySettings } from './memory-settings.ts'
import type { Transport } from '../protocol/transport.ts'
import { checkSocketFolder } from '../socket/check-socket.ts'
import { userInfo } from 'node:os'
import { isAbsolute } from 'node:path'

export interface StartServerOptions {
  readonly socket: string
  /** The absolute path of the program that serves at `socket` in the foreground, and its arguments. */
  readonly command: readonly [program: string, ...args: string[]]
  /** The client's environment, of which `serverEnvironment` passes the folders on. */
  readonly env: Readonly<Record<string, string | undefined>>
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

/**
 * Starts a server, emits when it takes connections, and completes. Fails with `no_server` and its last message if it
 * ends before and no other server is about to listen, or after 15 s. Unsubscribing ends the waiting, not the server.
 */
export function startServer({ socket, command, env }: StartServerOptions): Observable<StartedServer> {
  return defer(() => {
    const log = openServerLog(socket)
    const reached$ = connectSocket(socket)
    const ready$ = reached$.pipe(
      retry({
        delay: (error: unknown) => (isNoServer(error) ? timer(retryDelayMs) : throwError(() => Failure.from(error))),
      }),
    )
    // a server ends if another one listens already, or is about to: the client uses that one
    const otherServer$ = spawnServer(command, env, log.descriptor).pipe(
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

function isNoServer(error: unknown): boolean {
  return error instanceof Failure && error.code === 'no_server'
}

function startFailure(problem: string, log: string): Failure {
  return new Failure('no_server', `The started server ${problem}; see ${log}`, { data: { log } })
}

/** The last line that the server wrote. */
function readLastLine({ path, size }: Pick<ServerLog, 'path' | 'size'>): string {
  const noOutput = 'it wrote nothing'
  try {
    const text = readFileSync(path).subarray(size).toString()
    return text.trimEnd().split('\n').at(-1) || noOutput
  } catch {
    return noOutput // the failure names the log anyway
  }
}

/** Bytes after which the log begins anew. */
const longestLog = 1_048_576

interface ServerLog {
  readonly path: string
  /** Open for appending; the caller closes it. */
  readonly descriptor: number
  /** Bytes of earlier servers. */
  readonly size: number
}

/**
 * Opens `<socket>.log`, mode 0600, in a checked folder; never follows a link.
 * @throws Failure `unsafe_socket` or `storage`
 */
export function openServerLog(socket: string): ServerLog {
  checkSocketFolder(socket, { make: true })
  const path = `${socket}.log`
  const descriptor = openLog(path)
  try {
    const status = fstatSync(descriptor)
    if (!status.isFile() || status.uid !== process.geteuid?.() || status.nlink !== 1) throw unsafeLog(path)
    fchmodSync(descriptor, 0o600)
    if (status.size <= longestLog) return { path, descriptor, size: status.size }
    ftruncateSync(descriptor)
    return { path, descriptor, size: 0 }
  } catch (thrown) {
    closeSync(descriptor)
    throw thrown
  }
}

function openLog(path: string): number {
  const { O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW, O_NONBLOCK } = constants
  try {
    return openSync(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK, 0o600)
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ELOOP') throw unsafeLog(path)
    const why = describeThrown(cause)
    throw new Failure('storage', `Cannot open the server's log ${path}: ${why}`, { cause })
  }
}

function unsafeLog(path: string): Failure {
  return new Failure('unsafe_socket', `${path} is not a regular file of this user; remove it`, { data: { path } })
}

/** Variables that name folders; the server gets those that hold an absolute path. */
const folderVariables = [
  'HOME',
  'RXPI_HOME',
  'XDG_RUNTIME_DIR',
  'XDG_STATE_HOME',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_CACHE_HOME',
] as const

/**
 * Returns the whole environment of a background server: a fixed PATH and LANG, the account's names, the folders, the
 * allocator's settings, and that a client started it. Keys, proxies and all else come with each session from its
 * client.
 */
export function serverEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const folders = folderVariables.flatMap((name) => {
    const value = env[name]
    return value !== undefined && isAbsolute(value) ? [[name, value] as const] : []
  })
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
    LANG: 'C.UTF-8',
    ...readAccount(),
    ...Object.fromEntries(folders),
    ...Object.fromEntries(memorySettings('malloc', env).map(({ key, value }) => [key, value])),
    ...passSwitchedOff(env),
    RXPI_STARTED_BY: 'client',
  }
}

/** Passes the names of settings that the server switches off as well; no other text of the client passes. */
function passSwitchedOff({ RXPI_WITHOUT: names = '' }: Readonly<Record<string, string | undefined>>): object {
  return /^[a-z][a-z,-]*$/.test(names) ? { RXPI_WITHOUT: names } : {}
}

function readAccount(): Record<string, string> {
  try {
    const { username, homedir } = userInfo()
    return { HOME: homedir, USER: username, LOGNAME: username }
  } catch {
    return {} // a user without an entry in the system's table; the client's HOME is used
  }
}
