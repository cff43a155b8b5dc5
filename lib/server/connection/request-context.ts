// Declares what a command handler gets: the server, the connection and the request.
import { map } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ServerBackend } from '../../services/contract/server-backend.ts'
import type { CommandNamed, CommandType, ResultOf } from '../../streams/commands/command.ts'
import type { ChannelCalls } from '../client-tools/channel-calls.ts'
import type { ClientToolRegistry } from '../client-tools/register-client-tools.ts'
import type { Pressure } from '../feed/feed.ts'
import type { ServedSession } from '../feed/served-session.ts'
import type { LineBatch } from '../protocol/transport.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { ClientScreens } from './client-screens.ts'
import type { ClientIdentity } from './ui-availability.ts'

/** The result of a request. */
export interface Answer<Result extends object = object> {
  readonly result: Result
  /** Subscribed right after the response was sent; its values are sent as frames. */
  readonly then$?: Observable<string>
}

/** Shared by all connections of a server. */
export interface ServerContext {
  readonly backend: ServerBackend
  readonly sessions: Sessions
  /** The hello frame, the same for all connections. */
  readonly hello: string
  /** Commands that this server refuses, whatever its backend. Default: none. */
  readonly refused?: ReadonlySet<CommandType>
  /** Returns the result of `server_status`. */
  status(): ResultOf<'server_status'>
  /** Ends every connection, after what was sent, as soon as every session is closed or has failed to close. */
  end(): void
}

/** The state of one connection. */
export interface ClientContext {
  readonly identity: ClientIdentity
  /** Open calls of the client's own tools. */
  readonly calls: ChannelCalls
  readonly clientTools: ClientToolRegistry
  /** The client's screen for each session that it is attached to. */
  readonly screens: ClientScreens
  /** Counts this client as present in the session until it detaches or its connection ends; returns the session. */
  join(served: ServedSession): ServedSession
  /** Whether this client has opened the session or is attached to it. */
  hasJoined(session: string): boolean
  /** Ends the attachment to this session, if there is one. */
  detach(session: string): void
  /** Ends the attachment's lines alone, because another attachment follows. */
  endAttachment(session: string): void
  /** Sends an attachment's lines until it is detached, and completes at once; the previous attachment ends. */
  beginAttachment(session: string, batches$: Observable<LineBatch>): Observable<never>
  /** How much of what was sent is still unsent on this connection. */
  readonly pressure: Pressure
  /** Ends the request with this id; returns false if none is pending. */
  cancel(id: string): boolean
}

export interface RequestContext extends ServerContext {
  readonly opId: string | undefined
  readonly client: ClientContext
}

/** Answers one command: emits one answer, or fails with a Failure. Unsubscribing ends the request. */
export type Handler<Name extends CommandType> = (
  command: CommandNamed<Name>,
  context: RequestContext,
) => Observable<Answer<ResultOf<Name>>>

/** Each result as an answer. */
export function respond<Result extends object>(result$: Observable<Result>): Observable<Answer<Result>> {
  return result$.pipe(map((result) => ({ result })))
}
