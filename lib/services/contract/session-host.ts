// Opens sessions for a server: finds model, tools, settings and log for a folder and wires them into a Session.
import type { Observable } from 'rxjs'
import type { CommandNamed, ResultOf } from '../../streams/commands/command.ts'
import type { Failure } from '../../streams/values/failure.ts'
import type { ToolProgress, ToolResult } from '../../streams/ports/tool.ts'
import type { FindFiles } from '../../tools/search/find-files.ts'
import type { Session } from '../../session/contract/session.ts'

/** The commands that need no model: a session that is not open is changed by them too. */
export type ClosedChange = 'branch_session' | 'rename_session' | 'set_label' | 'undo'

/** A line for people about what was chosen for them and why. */
export interface Notice {
  readonly code: string
  readonly message: string
}

export interface OpenedSession {
  readonly session: Session
  readonly notices: readonly Notice[]
  /** Why it takes no command that writes, where that is known when it is opened. */
  readonly readOnly?: Failure
  /** Completes when the session was closed, also by itself. Absent: it is open until somebody closes it. */
  readonly over$?: Observable<never>
  /** True where it is read-only because another process held it, and does not any more: opening it again may get it. */
  readonly isOutdated?: () => boolean
}

/**
 * What the server asks of the rooms below it. `env` of a command is held in memory for that session or call alone
 * (SECURITY S7); where it is absent, child processes and keys get nothing of the server's own.
 */
export interface SessionHost {
  /** Emits once, when line 1 and its folders are synced, and completes; fails with a Failure. */
  newSession(
    command: Omit<CommandNamed<'new_session'>, 'type'>,
    options?: { readonly opId?: string },
  ): Observable<OpenedSession>
  /**
   * The id of the kept session that a `new_session` with this opId made, also before a restart, or nothing; completes. Fails
   * with `bad_request` where it asked for something else then (its `env` may differ).
   */
  madeBefore(command: Omit<CommandNamed<'new_session'>, 'type'>, opId: string): Observable<string>
  /**
   * A session that another process holds is followed: read-only, its durable events as that process writes them.
   *
   * Tools run in the folder of the session's header, not in the command's `cwd` (an `attach` that opens a session has none
   * and gives `/`). The server asks for a session that it has not open already, and never twice at a time.
   */
  openSession(
    command: Omit<CommandNamed<'open_session'>, 'type' | 'session'> & { readonly session: string },
  ): Observable<OpenedSession>
  /**
   * A session of its own that plays a recorded one, as fast as it was or otherwise; it begins when it is watched, and closes
   * itself when nobody has for a minute. Emits once; fails with a Failure.
   */
  replaySession(command: Omit<CommandNamed<'replay_session'>, 'type'>): Observable<OpenedSession>
  /** The id of the session that `-c` continues in this folder, or nothing; completes. */
  latestSession(cwd: string): Observable<string>
  /**
   * One tool call by hand, through the whole pipeline: progress, then one result; unsubscribing ends the call. Fails with
   * `bad_request` where no tool has this name (the message lists those there are).
   */
  runTool(command: Omit<CommandNamed<'run_tool'>, 'type'>): Observable<ToolProgress | ToolResult>
  /** Files of a folder, by what was typed of their names; emits once, fails with `storage`. */
  findFiles(wanted: FindFiles): Observable<ResultOf<'find_files'>>
  /** What has changed of a session's files since it first changed any; emits once, fails with `bad_request` where it is not known. */
  getDiff(command: Omit<CommandNamed<'get_diff'>, 'type'>): Observable<ResultOf<'get_diff'>>
  /** The sessions that are kept, without opening them; emits once. */
  listSessions(command: Omit<CommandNamed<'list_sessions'>, 'type'>): Observable<ResultOf<'list_sessions'>>
  /** Emits once, when the session is the `latestSession` of its folder. */
  switchSession(command: Omit<CommandNamed<'switch_session'>, 'type'>): Observable<ResultOf<'switch_session'>>
  /** Emits once, when nothing of the session is left; fails with `session_locked` where it is open anywhere. */
  deleteSession(command: Omit<CommandNamed<'delete_session'>, 'type'>): Observable<ResultOf<'delete_session'>>
  /** Those that only read, of a session by id, whoever holds it; each emits once. */
  getState(command: Omit<CommandNamed<'get_state'>, 'type'>): Observable<ResultOf<'get_state'>>
  getTree(command: Omit<CommandNamed<'get_tree'>, 'type'>): Observable<ResultOf<'get_tree'>>
  getEntries(command: Omit<CommandNamed<'get_entries'>, 'type'>): Observable<ResultOf<'get_entries'>>
  getContext(command: Omit<CommandNamed<'get_context'>, 'type'>): Observable<ResultOf<'get_context'>>
  getStats(command: Omit<CommandNamed<'get_stats'>, 'type'>): Observable<ResultOf<'get_stats'>>
  /** Fails with `bad_request` where there is no such blob, `storage` where it is not what its name says. */
  getBlob(command: Omit<CommandNamed<'get_blob'>, 'type'>): Observable<ResultOf<'get_blob'>>
  /** A new session from a file of pi or rxpi, written and held by nobody; emits once. */
  importSession(command: Omit<CommandNamed<'import_session'>, 'type'>): Observable<ResultOf<'import_session'>>
  /** A session or a session file as text; emits once. */
  exportSession(command: Omit<CommandNamed<'export_session'>, 'type'>): Observable<ResultOf<'export_session'>>
  /**
   * Changes a session that is not open here, without a model. The server has one such change of a session under way at a
   * time, and does not open it meanwhile. Emits once, when the session is let go of again.
   */
  changeClosed<Name extends ClosedChange>(
    command: CommandNamed<Name>,
    options?: { readonly opId?: string },
  ): Observable<ResultOf<Name>>
  /** Looks at every line of a log, by its session or file; emits once, fails where there is none. */
  verifySession(command: Omit<CommandNamed<'verify_session'>, 'type'>): Observable<ResultOf<'verify_session'>>
  /** Writes a repaired copy beside a damaged log; emits once, fails where that cannot be done. */
  repairSession(command: Omit<CommandNamed<'repair_session'>, 'type'>): Observable<ResultOf<'repair_session'>>
  /** The user's settings; each emits once. `configSet` fails with `bad_request` for what a setting cannot be. */
  configList(command: Omit<CommandNamed<'config_list'>, 'type'>): Observable<ResultOf<'config_list'>>
  configGet(command: Omit<CommandNamed<'config_get'>, 'type'>): Observable<ResultOf<'config_get'>>
  configSet(command: Omit<CommandNamed<'config_set'>, 'type'>): Observable<ResultOf<'config_set'>>
  /** What works here; emits once. Never a key's value. Never fails: what cannot be found out is a check that says so. */
  doctor(command: Omit<CommandNamed<'doctor'>, 'type'>): Observable<ResultOf<'doctor'>>
  /** What can be named, with what endpoints on this machine serve; emits once. Fails with `bad_request` for an unknown provider. */
  listModels(command: Omit<CommandNamed<'list_models'>, 'type'>): Observable<ResultOf<'list_models'>>
  /** Stores a key of the client's for a provider; emits once, when it is on the disk. No answer of these four holds a key. */
  authSet(command: Omit<CommandNamed<'auth_set'>, 'type'>): Observable<ResultOf<'auth_set'>>
  /** Where keys come from; emits once. */
  authList(command: Omit<CommandNamed<'auth_list'>, 'type'>): Observable<ResultOf<'auth_list'>>
  /** Emits once; fails with `bad_request` where there is nothing to remove. */
  authRemove(command: Omit<CommandNamed<'auth_remove'>, 'type'>): Observable<ResultOf<'auth_remove'>>
  /** Asks the provider; emits once, also where it cannot be reached. */
  authVerify(command: Omit<CommandNamed<'auth_verify'>, 'type'>): Observable<ResultOf<'auth_verify'>>
  /** After the sessions were closed: completes when what their tools had started is gone, or after 2.5 s. */
  close(): Observable<never>
}
