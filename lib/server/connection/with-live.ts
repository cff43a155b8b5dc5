// A list of sessions says of those that are open here what only this server knows: who runs, and who waits for people.
import type { ResultOf } from '../../streams/commands/command.ts'
import type { ServedSession } from '../feed/served-session.ts'

type Listed = ResultOf<'list_sessions'>
type Row = Listed['sessions'][number]

export function withLive(listed: Listed, served: Iterable<Pick<ServedSession, 'session'>>): Listed {
  const open = new Map([...served].map(({ session }) => [session.id, session.state$]))
  return { ...listed, sessions: listed.sessions.map((row) => rowOf(row, open.get(row.id)?.value)) }
}

function rowOf(row: Row, state: ServedSession['session']['state$']['value'] | undefined): Row {
  if (state === undefined) return row
  return { ...row, live: { running: state.running !== undefined, asking: state.requests.length } }
}
