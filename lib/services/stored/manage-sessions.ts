// Sessions are listed, chosen and removed as files: none of it opens one.
import { defer, map, of } from 'rxjs'
import type { FileStore, ListedLog } from '../../store/index.ts'
import type { CommandNamed, ResultOf } from '../../streams/commands/command.ts'
import { Failure } from '../../streams/values/failure.ts'
import { absolutePath } from './absolute-path.ts'
import type { SessionHost } from '../contract/session-host.ts'

/** Sessions of one answer, where no other number is asked for. */
const usualLimit = 1_000

type ListedSession = ResultOf<'list_sessions'>['sessions'][number]

/** What a host does with the sessions in its store as a whole. */
export function manageSessions(
  store: FileStore,
): Pick<SessionHost, 'listSessions' | 'switchSession' | 'deleteSession'> {
  return {
    listSessions: (command) =>
      defer(() => store.list(folderOf(command))).pipe(
        map(({ logs, problems }) => ({ ...page(logs.map(listed), command), problems: [...problems] })),
      ),
    switchSession: ({ session }) =>
      defer(() => {
        store.makeLatest(session)
        const { cwd } = store.facts(session)
        return of(cwd === undefined ? {} : { cwd })
      }),
    deleteSession: ({ session }) =>
      defer(() => store.remove(session)).pipe(map((removed) => ({ removed: [...removed] }))),
  }
}

type Wanted = Omit<CommandNamed<'list_sessions'>, 'type'>

function folderOf({ cwd, all = false }: Wanted): string | undefined {
  return all || cwd === undefined ? undefined : absolutePath('cwd', cwd)
}

function listed({ facts, file, isLatest }: ListedLog): ListedSession {
  return { ...facts, file, isLatest }
}

/** @throws Failure `unknown_session` where `after` is not in the list */
function page(
  sessions: readonly ListedSession[],
  { after, limit = usualLimit }: Wanted,
): Pick<ResultOf<'list_sessions'>, 'sessions' | 'total' | 'more'> {
  const before = after === undefined ? -1 : sessions.findIndex(({ id }) => id === after)
  if (after !== undefined && before < 0) {
    throw new Failure('unknown_session', `The session ${after}, after which the list was to go on, is not in it`)
  }
  const end = before + 1 + limit
  return { sessions: sessions.slice(before + 1, end), total: sessions.length, more: end < sessions.length }
}
