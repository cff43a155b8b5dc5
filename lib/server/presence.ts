// Who is there: a session that asked for it ends its run when the last client that opened or attached to it has gone.
import type { Session } from '../session/session.ts'

/** The clients of one open session. */
export interface Presence {
  /** A client opened the session, or attached to it; more than once counts once. */
  joined(client: object): void
  /** It detached, or its connection ended. */
  left(client: object): void
}

/** With `endWithLastClient` the run that is on is stopped, `client_disconnected`, when nobody is there any more. */
export function presence(session: Pick<Session, 'stop'>, endWithLastClient: boolean): Presence {
  const clients = new Set<object>()
  return {
    joined: (client) => {
      clients.add(client)
    },
    left: (client) => {
      if (clients.delete(client) && clients.size === 0 && endWithLastClient) session.stop('client_disconnected')
    },
  }
}
