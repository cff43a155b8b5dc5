// Counts the clients of an open session.
// If the session asks for it, the last client that leaves stops the run.
import { filter } from 'rxjs'
import type { AgentEvent } from '../../streams/events/event.ts'
import { behavior } from '../../streams/rx/behavior.ts'
import type { Behavior } from '../../streams/rx/behavior.ts'
import type { Session } from '../../session/contract/session.ts'

const startEvents: ReadonlySet<AgentEvent['type']> = new Set(['agent_start', 'job_start'])

/** The clients of one open session. */
export interface ClientPresence {
  /** How many clients are present, now and from then on. */
  readonly count$: Behavior<number>
  /** Adds a client that opened the session or attached to it; adding it again changes nothing. */
  join(client: object): void
  /** Removes a client that detached or whose connection ended. */
  leave(client: object): void
}

/**
 * With `endWithLastClient` the last client that leaves stops the session's run and jobs, with reason
 * `client_disconnected`. A run that starts after all have left is stopped too: a client can send its prompt and go
 * while the session is being opened.
 */
export function clientPresence(session: Pick<Session, 'stop' | 'events$'>, endWithLastClient: boolean): ClientPresence {
  const clients = new Set<object>()
  const count = behavior(0)
  let allHaveLeft = false
  const stop = (): void => {
    session.stop('client_disconnected')
  }
  if (endWithLastClient) {
    session.events$.pipe(filter(({ type }) => startEvents.has(type) && allHaveLeft)).subscribe(stop)
  }
  return {
    count$: count.behavior$,
    join: (client) => {
      clients.add(client)
      allHaveLeft = false
      count.set(clients.size)
    },
    leave: (client) => {
      if (!clients.delete(client)) return
      count.set(clients.size)
      if (clients.size > 0) return
      allHaveLeft = true
      if (endWithLastClient) stop()
    },
  }
}

interface JoinedSession {
  readonly session: Pick<Session, 'id'>
  readonly presence: ClientPresence
}

/** The sessions that one client has opened or attached to. */
export interface JoinedSessions {
  /** Joins a session and returns it. After `leaveAll` the client joins and leaves it at once. */
  join<Served extends JoinedSession>(served: Served): Served
  has(session: string): boolean
  detach(session: string): void
  /** Leaves every session, because the connection has ended. */
  leaveAll(): void
}

export function joinedSessions(): JoinedSessions {
  const joined = new Map<string, JoinedSession>()
  const client = {}
  let hasLeft = false
  return {
    join: (served) => {
      served.presence.join(client)
      // its connection may have ended while the session was being opened
      if (hasLeft) served.presence.leave(client)
      else joined.set(served.session.id, served)
      return served
    },
    has: (session) => joined.has(session),
    detach: (session) => {
      joined.get(session)?.presence.leave(client)
      joined.delete(session)
    },
    leaveAll: () => {
      hasLeft = true
      for (const { presence } of joined.values()) presence.leave(client)
      joined.clear()
    },
  }
}
