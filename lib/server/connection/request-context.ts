// Types that command handlers use: the server, the connection and the response.
// It also answers `server_status`.
import type { Observable } from 'rxjs'
import type { ServerBackend } from '../../services/contract/server-backend.ts'
import type { CommandType, ResultOf } from '../../streams/commands/command.ts'
import type { ChannelCalls } from '../client-tools/channel-calls.ts'
import type { ClientToolRegistry } from '../client-tools/register-client-tools.ts'
import type { Pressure } from '../feed/feed.ts'
import type { ServedSession } from '../feed/served-session.ts'
import type { LineBatch } from '../protocol/transport.ts'
import type { HelloFrame } from '../protocol/frame.ts'
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

/** How a server was started, and when it exits; for servers that other processes can reach. */
export interface ServerPlace {
  /** The path of its socket. */
  readonly socket?: string | undefined
  readonly startedBy?: 'person' | 'client' | 'socket' | undefined
  /** Milliseconds without client and run after which it exits. */
  readonly idleExitMs?: number | undefined
}

interface LiveCounts {
  readonly clients: number
  readonly sessions: ReadonlySet<ServedSession>
}

type StatusFields = Pick<ResultOf<'server_status'>, keyof ServerPlace> // without the undefined fields

/** Returns a function that answers `server_status`; the uptime counts from this call. */
export function serverStatus(
  { pid, version, epoch }: HelloFrame['server'],
  address: ServerPlace,
  count: () => LiveCounts,
): () => ResultOf<'server_status'> {
  const startedAt = Date.now()
  const startedNs = process.hrtime.bigint() // `performance` takes a millisecond to load
  const statusFields = Object.fromEntries(
    Object.entries(address).filter(([, value]) => value !== undefined),
  ) as StatusFields
  return () => {
    const { clients, sessions } = count()
    const { rss, heapUsed } = process.memoryUsage()
    return {
      pid,
      version,
      epoch,
      startedAt,
      uptimeMs: Number((process.hrtime.bigint() - startedNs) / 1_000_000n),
      ...statusFields,
      clients,
      sessions: { open: sessions.size, running: [...sessions].filter(isRunning).length },
      memory: { rssBytes: rss, heapUsedBytes: heapUsed },
    }
  }
}

function isRunning({ session }: ServedSession): boolean {
  return session.state$.value.running !== undefined
}
