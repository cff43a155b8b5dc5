// A client that needs a server has one: the one that runs, a newer one in its place where nobody would notice, or one that it starts.
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
  /** This client's; a server of another is replaced where it may be. */
  readonly version: string
  /** This client's, which tells two of one version apart. Default: they are taken for the same. */
  readonly build?: string | undefined
  /** One line for people: what was started, replaced, or is of another version. */
  tell(message: string): void
}

/**
 * Emits a client, once, and completes; it is its subscriber's to close. A server of another version or build that a client started is
 * replaced where it has neither run nor other client; else it is used as it is, and named. Fails with `no_server` where none
 * can be started, `unsafe_socket`, or `unsupported_version`.
 */
export function connectOrStart(options: ConnectOrStartOptions): Observable<Client> {
  return reached(options).pipe(
    mergeMap((client) =>
      client.hello$.pipe(
        mergeMap(({ server }) => (isSame(server, options) ? of(client) : other(client, server, options))),
        catchError((error: unknown) => {
          client.close()
          return throwError(() => Failure.from(error))
        }),
      ),
    ),
  )
}

function reached(options: ConnectOrStartOptions): Observable<Client> {
  return connectSocket(options.socket).pipe(
    map((transport) => connect(transport)),
    catchError((error: unknown) => {
      const failure = Failure.from(error)
      return failure.code === 'no_server' ? started(options) : throwError(() => failure)
    }),
  )
}

function started(options: ConnectOrStartOptions): Observable<Client> {
  return defer(() => startServer(options)).pipe(
    map(({ transport, log }) => {
      options.tell(`started a server in the background; it ends when nobody needs it, or with rxpi stop (${log})`)
      return connect(transport)
    }),
  )
}

/** Of one version, and of one build where both say theirs. */
function isSame({ version, build }: HelloFrame['server'], own: ConnectOrStartOptions): boolean {
  return version === own.version && (build === undefined || own.build === undefined || build === own.build)
}

/** A server of another version or build: replaced, or used. */
function other(client: Client, server: HelloFrame['server'], options: ConnectOrStartOptions): Observable<Client> {
  return client.request({ type: 'server_status' }).pipe(
    catchError(() => of(undefined)), // a version that does not say it
    mergeMap((status) => {
      if (status === undefined || !isReplaceable(status)) {
        options.tell(`${named(server)} is not ${ownName(server, options)}, and in use; rxpi stop ends it`)
        return of(client)
      }
      return client.request({ type: 'shutdown' }).pipe(
        mergeMap(() => {
          client.close()
          options.tell(`${named(server)} made room for ${ownName(server, options, 'version ')}`)
          return reached(options)
        }),
      )
    }),
  )
}

function isReplaceable({ startedBy, clients, sessions }: ResultOf<'server_status'>): boolean {
  return startedBy === 'client' && clients === 1 && sessions.running === 0
}

/** This client's version, or where the server has the same, its build. */
function ownName({ version }: HelloFrame['server'], own: ConnectOrStartOptions, kind = ''): string {
  return version === own.version ? 'this build' : `${kind}${own.version}`
}

function named({ pid, version }: HelloFrame['server']): string {
  return `the server (process ${pid}) of version ${version}`
}
