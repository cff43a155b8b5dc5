// Fills in the session of an action without an id: the one that `rxpi -c` continues in this folder.
import { map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { currentFolder } from '../../process/current-folder.ts'
import type { SessionsInvocation } from '../../cli/invocation.ts'
import type { World } from '../../process/world.ts'

/** Emits the invocation with a session, once. Fails with `unknown_session` if the folder has none. */
export function resolveSession(invocation: SessionsInvocation, { client }: World): Observable<SessionsInvocation> {
  const withSession = (session: string): SessionsInvocation => {
    switch (invocation.action) {
      case 'tree':
        return { ...invocation, target: { session } }
      case 'show':
        return { ...invocation, target: { session } }
      case 'undo':
        return { ...invocation, session }
      case 'compact':
        return { ...invocation, session }
      default:
        return invocation
    }
  }
  return isUnnamed(invocation) ? latestSession({ client }).pipe(map(withSession)) : of(invocation)
}

/** Emits the id of the session that `rxpi -c` continues here, once. Fails with `unknown_session` if there is none. */
export function latestSession({ client }: Pick<World, 'client'>): Observable<string> {
  const cwd = currentFolder()
  // the maximum of a list: `rxpi sessions switch` may have chosen an old session
  return client.request({ type: 'list_sessions', cwd, limit: 10_000 }).pipe(
    map(({ sessions }) => {
      const latest = sessions.find(({ isLatest }) => isLatest)
      if (latest === undefined) throw noSession(cwd)
      return latest.id
    }),
  )
}

function isUnnamed(invocation: SessionsInvocation): boolean {
  if (invocation.action === 'undo' || invocation.action === 'compact') return invocation.session === ''
  if (invocation.action !== 'tree' && invocation.action !== 'show') return false
  return 'session' in invocation.target && invocation.target.session === ''
}

function noSession(cwd: string): Failure {
  const message = `There is no session of ${cwd} yet; rxpi sessions list --all prints those of other folders`
  return new Failure('unknown_session', message)
}
