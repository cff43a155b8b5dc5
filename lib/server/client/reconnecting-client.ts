// Client that survives lost connections.
// Events go on after the last one, and commands with an `opId` are sent again.
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
import { clientName } from '../../streams/values/identifiers.ts'
import type { Command, CommandNamed, ResultOf } from '../../streams/commands/command.ts'
import { Failure } from '../../streams/values/failure.ts'
import { boundedCalls } from '../protocol/bounded-calls.ts'
import type { AttachOptions, Client } from './client.ts'
import type { ClientEvent } from '../protocol/server-frame.ts'
import type { RequestOptions } from './client-requests.ts'
import type { ConnectionState, ReconnectOptions } from './reconnect.ts'
import { reconnect } from './reconnect.ts'
import { dedupeEvents } from './dedupe-events.ts'
import { BoundedMap } from '../../streams/values/bounded-map.ts'

export interface ConnectOptions extends ReconnectOptions {
  /** Sent first on each connection: the client's name, and whether people can answer through it. Default: not sent. */
  readonly hello?: Omit<CommandNamed<'hello'>, 'type'>
}

/** A client that survives lost connections: see `connect`. */
export interface ReconnectingClient {
  /** The state of the connection, now and after each change; completes when it is closed. */
  readonly connection$: Behavior<ConnectionState>
  /**
   * Cold: each subscription sends the command once, as soon as there is a connection (1,000 may wait for one; then
   * `overloaded`). Emits the result and completes, or fails with the server's Failure. If the connection is lost before
   * the response, a command with an `opId` is sent again. Any other fails with `disconnected`: the server may have
   * executed it. Unsubscribing cancels the request, not a run that it started.
   */
  request<Sent extends Command>(command: Sent, options?: RequestOptions): Observable<ResultOf<Sent['type']>>
  /**
   * Cold: attaches on subscription, detaches on unsubscription; one subscriber a session at a time (`bad_request`
   * otherwise). After a lost connection it attaches again after the last event: it emits every durable event exactly
   * once, in order, and no character of a message or of tool output twice. It emits `attached` and `caught_up` once;
   * with `repeatsAttached`, it emits `attached` again after each lost connection: the server has forgotten what this
   * client sent for its attachment, such as `surface_resize`, and what is in no log was missed.
   * Completes after `close()`; fails if the server refuses the session, or the client gives up connecting.
   */
  events$(session: string, options?: AttachOptions & { readonly repeatsAttached?: boolean }): Observable<ClientEvent>
  /** Ends the connection and cancels the unanswered requests. */
  close(): void
}

/** Requests that may wait for a connection. */
const waitingLimit = 1_000

/**
 * Connects at once, and again whenever the connection is lost: after 0.1 s, doubled up to 10 s, with jitter.
 * @throws Failure `bad_request` if `hello` has an invalid name
 */
export function reconnectingClient(options: ConnectOptions): ReconnectingClient {
  const { hello } = options
  checkName(hello?.client)
  const sessions = openedSessions()
  const waiting = boundedCalls(waitingLimit, 'This client, which is not connected,')
  const connection = reconnect(options, (client, restarted) => {
    // sent first, so executed first; the name was checked, so the server does not refuse it
    if (hello !== undefined) client.request({ type: 'hello', ...hello }).subscribe({ error: () => undefined })
    if (restarted) sessions.reopen(client)
  })
  const { client$, connection$ } = connection
  const next$ = waiting.bound(client$.pipe(take(1), throwIfEmpty(closedFailure)))
  const isOver = (): boolean => connection$.value.status === 'closed'
  return {
    connection$,
    request: (command, requestOptions = {}) =>
      next$.pipe(
        mergeMap((client) => client.request(command, requestOptions)),
        retry({
          delay: (error: unknown) =>
            isDisconnected(error) && requestOptions.opId !== undefined && !isOver()
              ? of(undefined)
              : throwFailure(error),
        }),
        tap((result) => {
          sessions.record(command, result)
        }),
      ),
    events$: (session, { repeatsAttached, ...requested } = {}) =>
      defer(() => {
        const dedupe = dedupeEvents(requested, { repeatsAttached })
        return client$.pipe(
          // after a lost connection, the next client goes on
          switchMap((client) =>
            client
              .events$(session, dedupe.attachOptions())
              .pipe(catchError((error: unknown) => (isDisconnected(error) ? EMPTY : throwFailure(error)))),
          ),
          map(dedupe.filter),
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
    `A client's name is 1 to 20 letters, digits and dashes: ${JSON.stringify(name)} is not one`,
  )
}

function isDisconnected(error: unknown): boolean {
  return error instanceof Failure && error.code === 'disconnected'
}

function throwFailure(error: unknown): Observable<never> {
  return throwError(() => Failure.from(error))
}

function closedFailure(): Failure {
  return new Failure('disconnected', 'This client was closed; create another one')
}

interface OpenedSessions {
  /** Records the result of a command that opens or deletes a session. */
  record(command: Command, result: unknown): void
  /** Opens them all, in their order. If one fails, the next command of that session fails with the reason. */
  reopen(client: Client): void
}

/** Sessions that are stored; the oldest are dropped. */
const limit = 1_000

/** How a session was opened; its log names none of it. */
const setup = [
  'cwd',
  'env',
  'trust',
  'approve',
  'sandbox',
  'extensions',
  'mcpServers',
  'system',
  'appendSystem',
  'instructions',
] as const

/**
 * Stores the sessions that this client opened, so that a restarted server opens them again with their folder,
 * environment, sandbox, extensions and prompts, and the approval mode that this client chose last. A new session is
 * opened with its model too, until the log names one: at its first run or `set_model`.
 */
function openedSessions(): OpenedSessions {
  const opened = new BoundedMap<string, CommandNamed<'open_session'>>(limit)
  const forgetModel = (session: string): void => {
    const { model, ...command } = opened.get(session) ?? {}
    if (model !== undefined) opened.set(session, command as CommandNamed<'open_session'>)
  }
  const keepMode = ({ session, mode }: CommandNamed<'set_approval_mode'>): void => {
    const command = opened.get(session)
    if (command !== undefined) opened.set(session, { ...command, approve: mode })
  }
  return {
    record: (command, result) => {
      if (command.type === 'delete_session' || command.type === 'close_session') opened.delete(command.session)
      const isHandled = command.type === 'prompt' && (result as ResultOf<'prompt'>).status === 'handled'
      if (command.type === 'set_model' || (command.type === 'prompt' && !isHandled)) forgetModel(command.session)
      if (command.type === 'set_approval_mode') keepMode(command)
      if (command.type !== 'new_session' && command.type !== 'open_session') return
      const { session } = result as { readonly session: string } // the result of both commands has it
      const chosen = Object.fromEntries(
        setup.flatMap((name) => (command[name] === undefined ? [] : [[name, command[name]]])),
      )
      const open = { type: 'open_session', session, cwd: command.cwd, ...chosen } as const
      const model = command.type === 'new_session' ? command.model : undefined
      opened.set(session, model === undefined ? open : { ...open, model })
    },
    reopen: (client) => {
      for (const command of opened.values()) client.request(command).subscribe({ error: () => undefined })
    },
  }
}
