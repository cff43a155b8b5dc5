// Connects to the running server, replaces an idle one of another version, or starts one.
import { catchError, defer, map, mergeMap, of, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ResultOf } from '../../streams/commands/command.ts'
import { Failure } from '../../streams/values/failure.ts'
import { connect } from '../client/client.ts'
import type { Client } from '../client/client.ts'
import { connectSocket } from '../socket/connect-socket.ts'
import type { HelloFrame } from '../protocol/frame.ts'
import { startServer } from './start-server.ts'
import type { StartServerOptions } from './start-server.ts'

export interface ConnectOrStartOptions extends StartServerOptions {
  /** The client's version; an idle server of another version is replaced. */
  readonly version: string
  /** The client's build, which distinguishes two builds of one version. Default: builds are not compared. */
  readonly build?: string | undefined
  /** Gets one line for people: a server was started or replaced, or has another version. */
  onNotice(message: string): void
  /** Gets the line about a started server. Default: `onNotice`. */
  onStarted?(message: string): void
}

/**
 * Emits a client, once, and completes; the subscriber closes it. A server of another version or build that a client
 * started is replaced if it has no run, job, open question and other client; otherwise it is used, with a notice. Fails
 * with `no_server` if none can be started, `unsafe_socket`, or `unsupported_version`.
 */
export function connectOrStart(options: ConnectOrStartOptions): Observable<Client> {
  return connectOrLaunch(options).pipe(
    mergeMap((client) =>
      client.hello$.pipe(
        mergeMap(({ server }) => (isSame(server, options) ? of(client) : replaceOrUse(client, server, options))),
        catchError((error: unknown) => {
          client.close()
          return throwError(() => Failure.from(error))
        }),
      ),
    ),
  )
}

function connectOrLaunch(options: ConnectOrStartOptions): Observable<Client> {
  return connectSocket(options.socket).pipe(
    map((transport) => connect(transport)),
    catchError((error: unknown) => {
      const failure = Failure.from(error)
      return failure.code === 'no_server' ? launch(options) : throwError(() => failure)
    }),
  )
}

function launch(options: ConnectOrStartOptions): Observable<Client> {
  return defer(() => startServer(options)).pipe(
    map(({ transport, log }) => {
      const onStarted = options.onStarted ?? options.onNotice
      onStarted(`started a server in the background; it ends when no client needs it, or with rxpi stop (${log})`)
      return connect(transport)
    }),
  )
}

/** Whether the versions are equal, and the builds too if both are known. */
function isSame({ version, build }: HelloFrame['server'], own: ConnectOrStartOptions): boolean {
  return version === own.version && (build === undefined || own.build === undefined || build === own.build)
}

/** Replaces a server of another version or build if it is idle, or uses it. */
function replaceOrUse(
  client: Client,
  server: HelloFrame['server'],
  options: ConnectOrStartOptions,
): Observable<Client> {
  return client.request({ type: 'server_status' }).pipe(
    catchError(() => of(undefined)), // an old version without this command
    mergeMap((status) => {
      if (status === undefined || !isReplaceable(status)) {
        options.onNotice(
          `${describeServer(server)} is not ${describeOwnVersion(server, options)}, and in use; rxpi stop ends it`,
        )
        return of(client)
      }
      return client.request({ type: 'shutdown' }).pipe(
        mergeMap(() => {
          client.close()
          options.onNotice(`${describeServer(server)} made room for ${describeOwnVersion(server, options, 'version ')}`)
          return connectOrLaunch(options)
        }),
      )
    }),
  )
}

function isReplaceable({ startedBy, clients, sessions }: ResultOf<'server_status'>): boolean {
  const { running, active = running } = sessions // a server of an earlier build counts its runs alone
  return startedBy === 'client' && clients === 1 && active === 0
}

/** Names this client's version, or its build if the server has the same version. */
function describeOwnVersion({ version }: HelloFrame['server'], own: ConnectOrStartOptions, kind = ''): string {
  return version === own.version ? 'this build' : `${kind}${own.version}`
}

function describeServer({ pid, version }: HelloFrame['server']): string {
  return `the server (process ${pid}) of version ${version}`
}
