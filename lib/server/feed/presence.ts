// Who is there: a session that asked for it ends what runs in it when the last client that opened or attached to it has gone.
import { filter } from 'rxjs'
import { behavior } from '../../streams/rx/behavior.ts'
import type { Behavior } from '../../streams/rx/behavior.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { Session } from '../../session/contract/session.ts'

const begins: ReadonlySet<AgentEvent['type']> = new Set(['agent_start', 'job_start'])

/** The clients of one open session. */
export interface Presence {
  /** How many are there, now and from then on. */
  readonly count$: Behavior<number>
  /** A client opened the session, or attached to it; more than once counts once. */
  joined(client: object): void
  /** It detached, or its connection ended. */
  left(client: object): void
}

/**
 * With `endWithLastClient` the run that is on is stopped, `client_disconnected`, when nobody is there any more, with people's
 * own commands, and so is what begins when all have left: a client may have sent its prompt and gone while the session was
 * still being opened.
 */
export function presence(session: Pick<Session, 'stop' | 'events$'>, endWithLastClient: boolean): Presence {
  const clients = new Set<object>()
  const count = behavior(0)
  let allHaveLeft = false
  const stop = (): void => {
    session.stop('client_disconnected')
  }
  if (endWithLastClient) {
    session.events$.pipe(filter(({ type }) => begins.has(type) && allHaveLeft)).subscribe(stop)
  }
  return {
    count$: count.behavior$,
    joined: (client) => {
      clients.add(client)
      allHaveLeft = false
      count.set(clients.size)
    },
    left: (client) => {
      if (!clients.delete(client)) return
      count.set(clients.size)
      if (clients.size > 0) return
      allHaveLeft = true
      if (endWithLastClient) stop()
    },
  }
}
