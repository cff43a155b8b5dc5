// The sessions that one client has opened or attached to; it is there until it detaches or its connection ends.
import type { ServedSession } from '../feed/served-session.ts'

export interface JoinedSessions {
  /** Gives the session back. After `leave` it is joined and left at once. */
  joins(served: ServedSession): ServedSession
  detach(session: string): void
  /** The connection has ended. */
  leave(): void
}

export function joinedSessions(): JoinedSessions {
  const joined = new Map<string, ServedSession>()
  const client = {}
  let hasLeft = false
  return {
    joins: (served) => {
      served.presence.joined(client)
      if (hasLeft)
        served.presence.left(client) // its connection ended while the session was being opened
      else joined.set(served.session.id, served)
      return served
    },
    detach: (session) => {
      joined.get(session)?.presence.left(client)
      joined.delete(session)
    },
    leave: () => {
      hasLeft = true
      for (const { presence } of joined.values()) presence.left(client)
      joined.clear()
    },
  }
}
