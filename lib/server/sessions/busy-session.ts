// A session is busy while something in it goes on without its clients: a run, a job, or a question that waits for people.
import { filter } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { ServedSession } from '../feed/served-session.ts'

const ends: ReadonlySet<AgentEvent['type']> = new Set(['agent_settled', 'job_end', 'ui_resolved'])

/** Nothing where it is not busy; else what emits when some of it has ended, and completes when the session is closed. */
export function busySession({ session }: Pick<ServedSession, 'session'>): Observable<unknown> | undefined {
  const { running, jobs, requests } = session.state$.value
  if (running === undefined && jobs.length === 0 && requests.length === 0) return undefined
  return session.events$.pipe(filter(({ type }) => ends.has(type)))
}
