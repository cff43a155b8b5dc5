// Makes a server's backend of a program's own sessions; refuses what belongs to a machine.
import {
  EMPTY,
  defer,
  from,
  ignoreElements,
  isObservable,
  map,
  mergeMap,
  of,
  take,
  throwError,
  throwIfEmpty,
} from 'rxjs'
import type { Observable, ObservableInput } from 'rxjs'
import type { Session } from '../../session/contract/session.ts'
import type { CommandType, ResultOf } from '../../streams/commands/command.ts'
import { Failure } from '../../streams/values/failure.ts'
import { isRecord } from '../../streams/values/json.ts'
import { refusedCommand } from './machine-commands.ts'
import type { ListedSession, ProgramSessions } from '../contract/program-sessions.ts'
import type {
  Fields,
  OpenedSession,
  ServerBackend,
  SessionsBackend,
  StoredBackend,
} from '../contract/server-backend.ts'

export function createProgramBackend(program: ProgramSessions): ServerBackend {
  return {
    sessions: programSessions(program),
    stored: storedPart(program),
    config: {
      list: refuse('config_list'),
      get: refuse('config_get'),
      set: refuse('config_set'),
      trustFolder: refuse('trust_folder'),
      doctor: refuse('doctor'),
    },
    auth: {
      set: refuse('auth_set'),
      list: refuse('auth_list'),
      remove: refuse('auth_remove'),
      verify: refuse('auth_verify'),
    },
    accounts: {
      login: refuse('auth_login'),
      wait: refuse('auth_login_wait'),
      input: refuse('auth_login_input'),
      cancel: refuse('auth_login_cancel'),
      accounts: refuse('auth_accounts'),
      logout: refuse('auth_logout'),
    },
    models: { list: refuse('list_models'), update: refuse('update_models') },
    policy: { explain: refuse('policy_explain'), importRules: refuse('policy_import') },
    imports: { pi: refuse('import_pi') },
    extensions: {
      list: refuse('extension_list'),
      trust: refuse('extension_trust'),
      kill: refuse('extension_kill'),
      audit: refuse('extension_audit'),
      installPackage: refuse('package_install'),
      listPackages: refuse('package_list'),
      removePackage: refuse('package_remove'),
      updatePackages: refuse('package_update'),
    },
    mcp: refusedServers,
    close: () => EMPTY,
  }
}

function refuse(command: CommandType): () => Observable<never> {
  return () => throwError(() => refusedCommand(command))
}

const refusedServers: ServerBackend['mcp'] = {
  list: refuse('mcp_list'),
  show: refuse('mcp_show'),
  add: refuse('mcp_add'),
  remove: refuse('mcp_remove'),
  test: refuse('mcp_test'),
  logs: refuse('mcp_logs'),
  login: refuse('mcp_login'),
  logout: refuse('mcp_logout'),
  restart: refuse('mcp_restart'),
  importServers: refuse('mcp_import'),
  check: () => of([]),
}

function programSessions(program: ProgramSessions): SessionsBackend {
  return {
    create: (command) =>
      defer(() => toObservable(program.create(command))).pipe(
        take(1),
        throwIfEmpty(() => new Failure('internal', 'The create of this server completed without a session')),
        map((session) => openedSession(session, 'create')),
      ),
    findCreated: () => EMPTY,
    open: (command) =>
      defer(() => toObservable(program.open?.(command))).pipe(
        take(1),
        throwIfEmpty(() => unknownSession(command.session)),
        map((session) => {
          if (session === undefined) throw unknownSession(command.session)
          const opened = openedSession(session, 'open')
          if (session.id !== command.session) throw otherSession(command.session, session.id)
          return opened
        }),
      ),
    replay: refuse('replay_session'),
    latest: (cwd) =>
      listed(program, { cwd }).pipe(
        mergeMap(({ sessions: [latest] }) => (latest === undefined ? EMPTY : of(latest.id))),
      ),
    runTool: refuse('run_tool'),
    findFiles: refuse('find_files'),
  }
}

/** A session that the program closes leaves the server. @throws Failure `internal` if a program without types returns another value */
function openedSession(session: Session, name: 'create' | 'open'): OpenedSession {
  if (!isRecord(session) || !isObservable(session['events$']))
    throw new Failure(
      'internal',
      `The ${name} of this server returned no session: return one of createSession or openSession`,
    )
  return { session, notices: [], over$: session.events$.pipe(ignoreElements()) }
}

function storedPart(program: ProgramSessions): StoredBackend {
  return {
    listSessions: (command) => listed(program, command),
    switchSession: refuse('switch_session'),
    deleteSession: refuse('delete_session'),
    getState: ({ session }) => throwError(() => unknownSession(session)),
    getTree: refuse('get_tree'),
    getEntries: refuse('get_entries'),
    getContext: refuse('get_context'),
    getStats: refuse('get_stats'),
    getBlob: refuse('get_blob'),
    getDiff: refuse('get_diff'),
    importSession: refuse('import_session'),
    exportSession: refuse('export_session'),
    // a session that is open answers these itself, except that no other can be made of it
    changeClosed: ({ type, session }) =>
      throwError(() => (type === 'branch_session' ? refusedCopy() : unknownSession(session))),
    verifySession: refuse('verify_session'),
    repairSession: refuse('repair_session'),
    auditPolicy: refuse('policy_audit'),
  }
}

function refusedCopy(): Failure {
  return new Failure('bad_request', 'This server copies no branch: it branches only sessions that are open, in place')
}

function otherSession(wanted: string, id: string): Failure {
  return new Failure('internal', `The open of this server returned session ${id} in place of ${wanted}`)
}

function unknownSession(session: string): Failure {
  return new Failure('unknown_session', `There is no session ${session} on this server`)
}

/** The rows of the program, newest first; those of the folder alone unless `all` is set. */
function listed(program: ProgramSessions, command: Fields<'list_sessions'>): Observable<ResultOf<'list_sessions'>> {
  const { list } = program
  if (list === undefined) return throwError(() => refusedCommand('list_sessions'))
  return defer(() => toObservable(list(command))).pipe(
    take(1),
    throwIfEmpty(() => new Failure('internal', 'The list of this server completed without a list')),
    map((rows) => selectRows(rows, command)),
  )
}

/** The words of the row: this server reads no messages. */
function hasText({ title = '', firstWords = '', lastWords = '' }: ListedSession, text: string): boolean {
  return [title, firstWords, lastWords].some((words) => words.toLowerCase().includes(text.toLowerCase()))
}

function selectRows(
  rows: readonly ListedSession[],
  { cwd, all = false, limit = 100, after, includeEmpty = true, text }: Fields<'list_sessions'>,
): ResultOf<'list_sessions'> {
  if (!isList(rows)) throw new Failure('internal', 'The list of this server returned no array of rows')
  const times = rows.map((row) => ({ updatedAt: row.createdAt, ...row }))
  const newest = times.toSorted((left, right) => right.updatedAt - left.updatedAt)
  const wanted = newest.filter(
    (row) =>
      (all || cwd === undefined || row.cwd === cwd) &&
      (includeEmpty || row.messages !== 0) &&
      (text === undefined || hasText(row, text)),
  )
  const from = after === undefined ? 0 : wanted.findIndex(({ id }) => id === after) + 1
  const sessions = wanted.slice(from, from + limit)
  const isLatest = (row: ListedSession): boolean => newest.find((each) => each.cwd === row.cwd) === row
  return {
    sessions: sessions.map((row) => ({ ...row, size: 0, file: '', isLatest: isLatest(row) })),
    total: wanted.length,
    more: from + limit < wanted.length,
    problems: [],
  }
}

/** A program without types may return anything. */
function isList(rows: unknown): boolean {
  return Array.isArray(rows)
}

/** A value, or what an Observable or a promise of it emits. */
function toObservable<Value>(value: Value | ObservableInput<Value>): Observable<Value> {
  if (isObservable(value)) return value
  return isThenable(value) ? from(value) : of(value as Value)
}

/** A database's library can have promises of its own. */
function isThenable(value: unknown): value is PromiseLike<never> {
  return isRecord(value) && typeof value['then'] === 'function'
}
