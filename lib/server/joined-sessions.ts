// The sessions that one client has opened or attached to; it is there until it detaches or its connection ends.
import type { ServedSession } from './served-session.ts'

export interface JoinedSessions {
  /** Gives the session back. After `leave` nothing is joined any more. */
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
      if (hasLeft) return served // its connection ended while the session was being opened
      joined.set(served.session.id, served)
      served.presence.joined(client)
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
