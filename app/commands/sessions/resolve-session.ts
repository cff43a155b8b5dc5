// An action that names no session is about the one that `rxpi -c` goes on with in this folder.
import { map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { currentFolder } from '../../process/current-folder.ts'
import type { SessionsInvocation } from '../../cli/invocation.ts'
import type { World } from '../../process/world.ts'

/** Emits the invocation once, with a session in it. Fails with `unknown_session` where this folder has none. */
export function resolveSession(invocation: SessionsInvocation, { client }: World): Observable<SessionsInvocation> {
  const named = (session: string): SessionsInvocation => {
    switch (invocation.action) {
      case 'tree':
        return { ...invocation, target: { session } }
      case 'show':
        return { ...invocation, target: { session } }
      case 'undo':
        return { ...invocation, session }
      default:
        return invocation
    }
  }
  if (!isUnnamed(invocation)) return of(invocation)
  const cwd = currentFolder()
  // as many as a list can have: what `rxpi sessions switch` chose may be an old one
  return client.request({ type: 'list_sessions', cwd, limit: 10_000 }).pipe(
    map(({ sessions }) => {
      const latest = sessions.find(({ isLatest }) => isLatest)
      if (latest === undefined) throw none(cwd)
      return named(latest.id)
    }),
  )
}

function isUnnamed(invocation: SessionsInvocation): boolean {
  if (invocation.action === 'undo') return invocation.session === ''
  if (invocation.action !== 'tree' && invocation.action !== 'show') return false
  return 'session' in invocation.target && invocation.target.session === ''
}

function none(cwd: string): Failure {
  const message = `There is no session of ${cwd} yet; rxpi sessions list --all has those of other folders`
  return new Failure('unknown_session', message)
}
