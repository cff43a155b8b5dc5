// Declares what a server offers beyond its protocol, in ten parts.
import type { Observable } from 'rxjs'
import type { CommandNamed, CommandType, ResultOf } from '../../streams/commands/command.ts'
import type { Failure } from '../../streams/values/failure.ts'
import type { ToolProgress, ToolResult } from '../../streams/ports/tool.ts'
import type { FindFiles } from '../../tools/search/find-files.ts'
import type { ExtensionModels, Session } from '../../session/contract/session.ts'

/**
 * All that the server asks of the rooms below it. A command's `env` stays in memory, for that session or call alone
 * (docs/design/security.md#S7). Without it, child processes and keys get nothing of the server's own environment.
 */
export interface ServerBackend {
  readonly sessions: SessionsBackend
  readonly stored: StoredBackend
  readonly config: ConfigBackend
  readonly auth: AuthBackend
  readonly accounts: AccountsBackend
  readonly models: ModelsBackend
  readonly policy: PolicyBackend
  readonly imports: ImportBackend
  readonly extensions: ExtensionsBackend
  readonly mcp: McpBackend
  /** Called after the sessions are closed: completes when the processes of their tools are gone, or after 2.5 s. */
  close(): Observable<never>
}

/** Opens sessions, and runs one tool call or one file search in a folder without a session. */
export interface SessionsBackend {
  /** Emits once, when line 1 and its folders are synced, and completes; fails with a Failure. */
  create(command: Fields<'new_session'>, options?: { readonly opId?: string }): Observable<OpenedSession>
  /**
   * Emits the id of the stored session that a `new_session` with this `opId` created, also before a restart; completes empty
   * if there is none. Fails with `bad_request` if that command had another body (its `env` may differ).
   */
  findCreated(command: Fields<'new_session'>, opId: string): Observable<string>
  /**
   * Opens a stored session. A session that another process holds is followed: read-only, with its durable events as that
   * process writes them. Tools run in the folder of the session's header, not in the command's `cwd`.
   *
   * The server never opens a session twice at a time, nor one that it has open.
   */
  open(command: Omit<Fields<'open_session'>, 'session'> & { readonly session: string }): Observable<OpenedSession>
  /**
   * Opens a session that plays a recorded one. Playing begins with the first subscriber to its events; the session closes
   * itself a minute after the last one. Emits once; fails with a Failure.
   */
  replay(command: Fields<'replay_session'>): Observable<OpenedSession>
  /** Emits the id of the session that `-c` continues in this folder, if there is one; completes. */
  latest(cwd: string): Observable<string>
  /**
   * Runs one tool call through the whole tool pipeline: emits progress, then one result. Unsubscribing ends the call. Fails
   * with `bad_request` if no tool has this name; the message lists the names.
   */
  runTool(command: Fields<'run_tool'>): Observable<ToolProgress | ToolResult>
  /** Finds files of a folder by a part of their names; emits once, fails with `storage`. */
  findFiles(wanted: FindFiles): Observable<ResultOf<'find_files'>>
}

/** Reads and changes session logs without opening a session for clients. Each method emits once. */
export interface StoredBackend {
  listSessions(command: Fields<'list_sessions'>): Observable<ResultOf<'list_sessions'>>
  /** Emits when the session is the latest of its folder. */
  switchSession(command: Fields<'switch_session'>): Observable<ResultOf<'switch_session'>>
  /** Emits when nothing of the session is left; fails with `session_locked` if any process has it open. */
  deleteSession(command: Fields<'delete_session'>): Observable<ResultOf<'delete_session'>>
  getState(command: Fields<'get_state'>): Observable<ResultOf<'get_state'>>
  getTree(command: Fields<'get_tree'>): Observable<ResultOf<'get_tree'>>
  getEntries(command: Fields<'get_entries'>): Observable<ResultOf<'get_entries'>>
  getContext(command: Fields<'get_context'>): Observable<ResultOf<'get_context'>>
  getStats(command: Fields<'get_stats'>): Observable<ResultOf<'get_stats'>>
  /** Fails with `bad_request` if there is no such blob, `storage` if its content does not match its hash. */
  getBlob(command: Fields<'get_blob'>): Observable<ResultOf<'get_blob'>>
  /** Compares the session's files with its first snapshot; fails with `bad_request` if there is no snapshot to compare with. */
  getDiff(command: Fields<'get_diff'>): Observable<ResultOf<'get_diff'>>
  /** Writes a new session from a file of pi or rxpi. */
  importSession(command: Fields<'import_session'>): Observable<ResultOf<'import_session'>>
  /** Writes a session or a session file as text. */
  exportSession(command: Fields<'export_session'>): Observable<ResultOf<'export_session'>>
  /**
   * Changes a session that is not open here, without a model. The server runs one such change of a session at a time, and
   * does not open the session meanwhile. Emits when the session is closed again.
   */
  changeClosed<Name extends ClosedChange>(
    command: CommandNamed<Name>,
    options?: { readonly opId?: string },
  ): Observable<ResultOf<Name>>
  /** Checks every line of a log, found by its session or file; fails if there is none. */
  verifySession(command: Fields<'verify_session'>): Observable<ResultOf<'verify_session'>>
  /** Writes a repaired copy beside a damaged log; fails if that cannot be done. */
  repairSession(command: Fields<'repair_session'>): Observable<ResultOf<'repair_session'>>
  /** Lists the decisions about tool calls that the log holds. */
  auditPolicy(command: Fields<'policy_audit'>): Observable<ResultOf<'policy_audit'>>
}

/** The user's settings, and checks of this installation. Each method emits once. */
export interface ConfigBackend {
  list(command: Fields<'config_list'>): Observable<ResultOf<'config_list'>>
  get(command: Fields<'config_get'>): Observable<ResultOf<'config_get'>>
  /** Fails with `bad_request` if the setting cannot have this value. */
  set(command: Fields<'config_set'>): Observable<ResultOf<'config_set'>>
  /**
   * Reports whether a folder is trusted, or stores a person's answer. Fails with `bad_request` if the files are not those of
   * `digest` or cannot be trusted.
   */
  trustFolder(command: Fields<'trust_folder'>): Observable<ResultOf<'trust_folder'>>
  /** Checks the installation. Never fails, and never emits a key's value: a check that cannot run has `ok: false`. */
  doctor(command: Fields<'doctor'>): Observable<ResultOf<'doctor'>>
}

/** The user's keys. Each method emits once; no result holds a key. */
export interface AuthBackend {
  /** Emits when the key is on the disk. */
  set(command: Fields<'auth_set'>): Observable<ResultOf<'auth_set'>>
  list(command: Fields<'auth_list'>): Observable<ResultOf<'auth_list'>>
  /** Fails with `bad_request` if there is nothing to remove. */
  remove(command: Fields<'auth_remove'>): Observable<ResultOf<'auth_remove'>>
  /** Sends a request to the provider; emits also if the provider cannot be reached. */
  verify(command: Fields<'auth_verify'>): Observable<ResultOf<'auth_verify'>>
}

/** Accounts of plans, in place of keys. Each method emits once; no result holds a token. */
export interface AccountsBackend {
  /** Begins a sign-in; fails with `bad_request` for a provider without one. */
  login(command: Fields<'auth_login'>): Observable<ResultOf<'auth_login'>>
  /** Emits when the sign-in has another revision, or after 25 s. */
  wait(command: Fields<'auth_login_wait'>): Observable<ResultOf<'auth_login_wait'>>
  /** Fails with `bad_request` if the text is no answer to this sign-in. */
  input(command: Fields<'auth_login_input'>): Observable<ResultOf<'auth_login_input'>>
  cancel(command: Fields<'auth_login_cancel'>): Observable<ResultOf<'auth_login_cancel'>>
  accounts(): Observable<ResultOf<'auth_accounts'>>
  /** Fails with `bad_request` if there is nothing to remove. */
  logout(command: Fields<'auth_logout'>): Observable<ResultOf<'auth_logout'>>
}

export interface ModelsBackend {
  /** Lists the models, with those that endpoints on this machine serve. Fails with `bad_request` for an unknown provider. */
  list(command: Fields<'list_models'>, of?: ExtensionModels): Observable<ResultOf<'list_models'>>
  /** Runs no code of the package; fails with `bad_request`, whose `data.reason` classifies it, and leaves nothing. */
  update(command: Fields<'update_models'>): Observable<ResultOf<'update_models'>>
}

/** Explains what the user's rules decide. Each method emits once and changes nothing. */
export interface PolicyBackend {
  /** Decides about a call without running it; fails with `bad_config` if the rules are not valid. */
  explain(command: Fields<'policy_explain'>): Observable<ResultOf<'policy_explain'>>
  /** Translates the rules of a settings file; fails with `bad_request` if the file has none or cannot be read. */
  importRules(command: Fields<'policy_import'>): Observable<ResultOf<'policy_import'>>
}

/** Brings a person's files of another agent over. */
export interface ImportBackend {
  /** Emits once; what cannot be imported is an item with its reason. Fails with `bad_request` if there is no such folder. */
  pi(command: Fields<'import_pi'>): Observable<ResultOf<'import_pi'>>
}

/** Lists extensions, and stores what a person decides about them. Each method emits once; none runs an extension. */
export interface ExtensionsBackend {
  list(command: Fields<'extension_list'>): Observable<ResultOf<'extension_list'>>
  /** Fails with `bad_request` for an unknown or ambiguous extension, or content that is not that of `digest`. */
  trust(command: Fields<'extension_trust'>, operator: string): Observable<ResultOf<'extension_trust'>>
  /** Also of an extension that is gone from the disk, by its id. */
  kill(command: Fields<'extension_kill'>, operator: string): Observable<ResultOf<'extension_kill'>>
  audit(command: Fields<'extension_audit'>): Observable<ResultOf<'extension_audit'>>
  /** Runs no script of the package; fails with `bad_request` and the words of npm, and leaves nothing. */
  installPackage(command: Fields<'package_install'>): Observable<ResultOf<'package_install'>>
  listPackages(): Observable<ResultOf<'package_list'>>
  removePackage(command: Fields<'package_remove'>): Observable<ResultOf<'package_remove'>>
  updatePackages(command: Fields<'package_update'>): Observable<ResultOf<'package_update'>>
}

/** Lists and changes MCP servers, and looks at those that run. Each method emits once; no result has a value of a secret. */
export interface McpBackend {
  list(command: Fields<'mcp_list'>): Observable<ResultOf<'mcp_list'>>
  /** Fails with `bad_request` for a server that is not configured, as `test` does. */
  show(command: Fields<'mcp_show'>): Observable<ResultOf<'mcp_show'>>
  /** Emits when the settings are on the disk; fails with `bad_request` for an entry that is not valid, or present. */
  add(command: Fields<'mcp_add'>): Observable<ResultOf<'mcp_add'>>
  remove(command: Fields<'mcp_remove'>): Observable<ResultOf<'mcp_remove'>>
  /** A server that cannot be reached is a result. Unsubscribing ends it. */
  test(command: Fields<'mcp_test'>): Observable<ResultOf<'mcp_test'>>
  logs(command: Fields<'mcp_logs'>): Observable<ResultOf<'mcp_logs'>>
  /** Begins a sign-in, in the list of those to accounts; fails with `bad_request` for a server without one. */
  login(command: Fields<'mcp_login'>): Observable<ResultOf<'mcp_login'>>
  logout(command: Fields<'mcp_logout'>): Observable<ResultOf<'mcp_logout'>>
  /** Fails with `bad_request` if no open session uses the server. */
  restart(command: Fields<'mcp_restart'>): Observable<object>
  importServers(command: Fields<'mcp_import'>): Observable<ResultOf<'mcp_import'>>
  /** Emits a check of the doctor for each server, and never fails. It starts none. */
  check(command: Fields<'doctor'>): Observable<readonly ResultOf<'doctor'>['checks'][number][]>
}

/** A command's fields. */
export type Fields<Name extends CommandType> = Omit<CommandNamed<Name>, 'type'>

/** The commands that change a session without a model: they also change a session that is not open. */
export type ClosedChange = 'branch_session' | 'rename_session' | 'set_label' | 'undo'

/** A line for people: a choice that the backend made, and why. */
export interface Notice {
  readonly code: string
  readonly message: string
}

export interface OpenedSession {
  readonly session: Session
  readonly notices: readonly Notice[]
  /** Why the session takes no command that writes, if that is known when it is opened. */
  readonly readOnly?: Failure
  /** A person chose the session's present model: stores it as the last choice once it has answered. Absent: nothing is stored. */
  readonly rememberModel?: () => void
  /** Completes when the session is closed, also by itself. Absent: it stays open until the server closes it. */
  readonly over$?: Observable<never>
  /** True if the session is read-only for a lock that another process has released since: opening it again may succeed. */
  readonly isOutdated?: () => boolean
}
