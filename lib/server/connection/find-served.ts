// Finds a session that is open on this server, and what its next request would hold.
import type { CommandNamed, ResultOf } from '../../streams/commands/command.ts'
import type { Session } from '../../session/contract/session.ts'

/** The session, if it is open here. */
export function findServed(
  id: string | undefined,
  served: ReadonlySet<{ readonly session: Session }>,
): Session | undefined {
  return id === undefined ? undefined : [...served].find(({ session }) => session.id === id)?.session
}

/** The request of a session that is open here, at its head. */
export function requestPart(
  { session, entryId }: Pick<CommandNamed<'get_context'>, 'session' | 'entryId'>,
  served: ReadonlySet<{ readonly session: Session }>,
): Pick<ResultOf<'get_context'>, 'request'> {
  if (entryId !== undefined) return {}
  const found = findServed(session, served)?.nextRequest?.()
  return found === undefined ? {} : { request: found }
}
