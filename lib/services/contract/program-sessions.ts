// Declares what a program gives a server: options for its sessions, or whole sessions of its own.
import type { ObservableInput } from 'rxjs'
import type { CreateSessionOptions } from '../../session/create/create-session-options.ts'
import type { Session } from '../../session/contract/session.ts'
import type { ResultOf } from '../../streams/commands/command.ts'
import type { Fields } from './server-backend.ts'

/** Options that the server decides by itself: folder, storage, and the sources of models and keys. */
export const serverOptions = [
  'cwd',
  'env',
  'store',
  'writer',
  'sessionId',
  'parent',
  'settings',
  'configDir',
  'project',
  'models',
  'modelRegistry',
  'authStorage',
  'getApiKey',
  'commands',
  'sandbox',
  'signal',
] as const satisfies readonly (keyof CreateSessionOptions)[]

/**
 * Options of `createSession` that a program sets for sessions of its server: each goes before the client's and the
 * settings'.
 */
export type ProgramSessionOptions = Omit<CreateSessionOptions, (typeof serverOptions)[number]>

/** The command that opens a session; `session` is the id of one that is opened again. */
export type OpeningCommand = Fields<'new_session'> & { readonly session?: string }

/** Returns what the program sets for this session. A throw refuses the command. */
export type SessionOptionsOf = (command: OpeningCommand) => ProgramSessionOptions

/** A session as a list shows it; what is absent has no value, or the one that is named. */
export type ListedSession = Pick<ListedRow, 'id' | 'createdAt'> &
  Partial<Pick<ListedRow, 'cwd' | 'title' | 'firstWords' | 'lastWords' | 'messages' | 'model'>> & {
    /** Unix ms of its last change. Default: `createdAt`. */
    readonly updatedAt?: number
  }
type ListedRow = ResultOf<'list_sessions'>['sessions'][number]

/**
 * Sessions that a program makes itself, with `createSession` or `openSession`. The server closes them when it closes.
 */
export interface ProgramSessions {
  /** Creates a session for `new_session`. A throw or a failure refuses the command. */
  create(command: Fields<'new_session'>): Session | ObservableInput<Session>
  /**
   * Opens a session that is not open here; undefined: there is none with this id. Default: only sessions that are open
   * can be joined.
   */
  open?(
    command: Omit<Fields<'open_session'>, 'session'> & { readonly session: string },
  ): Session | ObservableInput<Session | undefined> | undefined
  /**
   * Lists the sessions, in any order; the server sorts, filters and cuts the list. Default: `list_sessions` is refused.
   */
  list?(command: Fields<'list_sessions'>): readonly ListedSession[] | ObservableInput<readonly ListedSession[]>
}
