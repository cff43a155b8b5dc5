// A client that outlives its connections: events go on where they were cut, and what may safely be asked again is asked again.
import {
  EMPTY,
  Observable,
  catchError,
  defer,
  filter,
  map,
  mergeMap,
  of,
  retry,
  switchMap,
  take,
  tap,
  throwError,
  throwIfEmpty,
} from 'rxjs'
import type { Behavior } from '../../streams/rx/behavior.ts'
import { clientName } from '../../streams/values/limits.ts'
import type { Command, CommandNamed, ResultOf } from '../../streams/commands/command.ts'
import { Failure } from '../../streams/values/failure.ts'
import { boundedCalls } from '../protocol/bounded-calls.ts'
import type { AttachOptions, Client } from './client.ts'
import type { ClientEvent } from '../protocol/server-frame.ts'
import type { RequestOptions } from './client-requests.ts'
import type { ConnectionState } from './reconnect.ts'
import { keptConnection } from './reconnect.ts'
import type { KeptConnectionOptions } from './reconnect.ts'
import { seenEvents } from './dedupe-events.ts'
import { BoundedMap } from '../../streams/values/bounded-map.ts'

export interface ConnectOptions extends KeptConnectionOptions {
  /** Said at the beginning of each connection: its name, and whether people can answer through it. Default: nothing. */
  readonly hello?: Omit<CommandNamed<'hello'>, 'type'>
}

export interface ReconnectingClient {
  /** What the connection is now, and each change; completes when it is closed. */
  readonly connection$: Behavior<ConnectionState>
  /**
   * Cold: each subscription sends the command once, as soon as there is a connection (1,000 may wait for one; then
   * `overloaded`). Emits the result and completes, or fails with the server's Failure. Where the connection is cut before the
   * answer, a command with an `opId` is sent again, and any other fails with `disconnected`: whether it was carried out is not
   * known. Unsubscribing cancels the request, not a run it began.
   */
  request<Given extends Command>(command: Given, options?: RequestOptions): Observable<ResultOf<Given['type']>>
  /**
   * Cold: attaches on subscription, detaches on unsubscription; one subscriber a session at a time (`bad_request` otherwise).
   * After a cut it attaches again where it was: every durable event is told exactly once, in order, and no character of a
   * message or of a tool's output twice. `attached` and `caught_up` are told once. Completes after `close()`; fails where the
   * server refuses the session, or where the connection is given up.
   */
  events$(session: string, options?: AttachOptions): Observable<ClientEvent>
  /** Ends the connection: what is not answered is cancelled. */
  close(): void
}

/** Waiting for a connection. */
const waitingLimit = 1_000

/**
 * Connects at once, and again whenever the connection is lost: after 0.1 s, doubled up to 10 s, with jitter.
 * @throws Failure `bad_request` where `hello` has a name that no client may have
 */
export function reconnectingClient(options: ConnectOptions): ReconnectingClient {
  const { hello } = options
  checkName(hello?.client)
  const sessions = openedHere()
  const waiting = boundedCalls(waitingLimit, 'This client, which is not connected,')
  const connection = keptConnection(options, (client, restarted) => {
    // what is sent first is carried out first; its name was checked, so it is not refused, and nobody waits for it
    if (hello !== undefined) client.request({ type: 'hello', ...hello }).subscribe({ error: () => undefined })
    if (restarted) sessions.again(client)
  })
  const { client$, connection$ } = connection
  const next$ = waiting.bound(
    client$.pipe(
      take(1),
      throwIfEmpty(() => closed()),
    ),
  )
  const isOver = (): boolean => connection$.value.status === 'closed'
  return {
    connection$,
    request: (command, requestOptions = {}) =>
      next$.pipe(
        mergeMap((client) => client.request(command, requestOptions)),
        retry({
          delay: (error: unknown) =>
            isCut(error) && requestOptions.opId !== undefined && !isOver() ? of(undefined) : failed(error),
        }),
        tap((result) => {
          sessions.answered(command, result)
        }),
      ),
    events$: (session, asked = {}) =>
      defer(() => {
        const seen = seenEvents(asked)
        return client$.pipe(
          // where it is cut, the next connection goes on
          switchMap((client) =>
            client
              .events$(session, seen.from())
              .pipe(catchError((error: unknown) => (isCut(error) ? EMPTY : failed(error)))),
          ),
          map(seen.take),
          filter((event) => event !== undefined),
        )
      }),
    close: connection.close,
  }
}

function checkName(name: string | undefined): void {
  if (name === undefined || new RegExp(clientName).test(name)) return
  throw new Failure(
    'bad_request',
    `A client's name is 1 to 20 letters, digits and dashes: ${JSON.stringify(name)} is none`,
  )
}

function isCut(error: unknown): boolean {
  return error instanceof Failure && error.code === 'disconnected'
}

function failed(error: unknown): Observable<never> {
  return throwError(() => Failure.from(error))
}

function closed(): Failure {
  return new Failure('disconnected', 'This client was closed; connect anew')
}

// A server that was started anew has none of the sessions open that this client had opened: they are opened again as they were.

interface OpenedHere {
  /** Told of each command's result. */
  answered(command: Command, result: unknown): void
  /** Asks for all of them, in the order in which they were opened. Where one cannot be, whoever uses it is told why. */
  again(client: Client): void
}

/** The last of them that are remembered. */
const limit = 1_000

/** Remembers folder and environment of each: an attachment alone brings neither, and without them there are no keys. */
function openedHere(): OpenedHere {
  const opened = new BoundedMap<string, CommandNamed<'open_session'>>(limit)
  return {
    answered: (command, result) => {
      if (command.type === 'delete_session') opened.delete(command.session)
      if (command.type !== 'new_session' && command.type !== 'open_session') return
      const { session } = result as { readonly session: string } // what the server answers both with
      const { cwd, env } = command
      opened.set(session, { type: 'open_session', session, cwd, ...(env === undefined ? {} : { env }) })
    },
    again: (client) => {
      for (const command of opened.values()) client.request(command).subscribe({ error: () => undefined }) // told to whoever uses it
    },
  }
}
