// What a command line can ask for, once it has been understood.
import type { ConfigInvocation } from './config-arguments.ts'
import type { ProxyChoice } from './proxy-options.ts'
import type { ThinkingLevel } from '../../lib/streams/models/model.ts'
import type { ModelsInvocation } from './models-arguments.ts'

/** Which session, and what it is opened with. */
export interface SessionChoice {
  /** Absolute. */
  readonly cwd: string
  readonly model?: string
  readonly thinkingLevel?: ThinkingLevel
  readonly tools?: readonly string[]
  /** The text, or `@` and a file. */
  readonly system?: string
  readonly from: { readonly session: string } | 'latest' | 'new' | 'unstored'
}

export interface PrintInvocation {
  readonly mode: 'print'
  readonly format: 'text' | 'json'
  readonly choice: SessionChoice
  /** The prompt's words, joined by spaces; '' where there are none. */
  readonly words: string
  /** `@` files, without the `@`. */
  readonly files: readonly string[]
  /** `only`: `-p` was not given, so that without piped input there is nothing to do. */
  readonly stdin: 'added' | 'ignored' | 'only'
  /** A session is to be picked out of a list, which needs the terminal UI. */
  readonly resume?: boolean
  /** Without `-p`: an option that makes no sense unless something is piped in. */
  readonly loneOption?: string
  readonly limits: { readonly turns?: number; readonly usd?: number }
  readonly timeoutMs?: number
  /** A file with the JSON Schema that the answer has to fit, absolute. */
  readonly outputSchema?: string
  /** Where the server may be that holds the session, if its lock does not say it. */
  readonly socket?: string
}

/** The terminal UI. */
export interface UiInvocation {
  readonly choice: SessionChoice
  /** A session is to be picked out of a list. Default false. */
  readonly resume?: boolean
  /** As the command line names it. */
  readonly socket?: string
}

export interface ToolInvocation {
  readonly mode: 'tool'
  readonly name: string
  readonly args: Record<string, unknown>
  readonly cwd: string
  readonly json: boolean
}

export interface DoctorInvocation {
  readonly mode: 'doctor'
  readonly cwd: string
  readonly model?: string
  readonly json: boolean
}

interface OfSessions<Action extends string> {
  readonly mode: 'sessions'
  readonly action: Action
  readonly json: boolean
}

export interface LogInvocation extends OfSessions<'verify' | 'repair'> {
  /** A file's path is absolute. */
  readonly target: { readonly session: string } | { readonly file: string }
}

export interface ReplayInvocation extends OfSessions<'replay'> {
  /** A file's path is absolute. */
  readonly target: LogInvocation['target']
  /** 1 = as it was, 0 = as fast as can be. */
  readonly speed?: number
  readonly maxPauseMs?: number
}

export interface ListInvocation extends OfSessions<'list'> {
  /** Absolute; absent: of all folders. */
  readonly cwd?: string
}

export interface TreeInvocation extends OfSessions<'tree'> {
  /** A file's path is absolute; '' is what `rxpi -c` goes on with here. */
  readonly target: LogInvocation['target']
}

export interface ShowInvocation extends OfSessions<'show'> {
  /** A file's path is absolute; '' is what `rxpi -c` goes on with here. */
  readonly target: LogInvocation['target']
  /** Where the conversation ends; absent: at the head. */
  readonly entryId?: string
}

/** What is done to one session without more. */
export interface ShelfInvocation extends OfSessions<'switch' | 'rm'> {
  readonly session: string
}

export interface ExportInvocation extends OfSessions<'export'> {
  /** A file's path is absolute. */
  readonly target: LogInvocation['target']
  readonly format: 'pi' | 'markdown' | 'html'
  /** Absolute; absent: standard output. */
  readonly to?: string
}

export interface ImportInvocation extends OfSessions<'import'> {
  /** Absolute, as is `cwd`, the folder that the new session works in. */
  readonly file: string
  readonly cwd: string
}

export interface BranchInvocation extends OfSessions<'branch'> {
  readonly session: string
  readonly entryId: string
  /** Into a session of its own. */
  readonly newFile: boolean
  /** Of the branch that is left, where the new one begins. */
  readonly summarise: boolean
}

/** Files go back with the conversation: to an entry, or to before the last run. */
export interface RewindInvocation extends OfSessions<'undo' | 'branch'> {
  /** Of an undo '' is what `rxpi -c` goes on with here. */
  readonly session: string
  /** Absent: before the last run. */
  readonly toEntry?: string
  /** Only say what would change. */
  readonly dryRun: boolean
  /** Also over what others than the agent have changed since. */
  readonly force: boolean
}

export interface RenameInvocation extends OfSessions<'rename'> {
  readonly session: string
  /** '' takes it away. */
  readonly title: string
}

export interface LabelInvocation extends OfSessions<'label'> {
  readonly session: string
  readonly entryId: string
  /** Null takes it away. */
  readonly label: string | null
}

export type SessionsInvocation =
  | BranchInvocation
  | RewindInvocation
  | RenameInvocation
  | LabelInvocation
  | LogInvocation
  | ListInvocation
  | TreeInvocation
  | ShowInvocation
  | ShelfInvocation
  | ExportInvocation
  | ImportInvocation
  | ReplayInvocation

/** Beside the default: the socket as the command line names it. */
interface AtSocket {
  readonly socket?: string
}

export interface ServeInvocation extends AtSocket {
  readonly mode: 'serve'
  /** Absent: it never ends by itself. */
  readonly idleExitMs?: number
  /** 0: sessions stay in memory. Absent: the server's default. */
  readonly restAfterMs?: number
  /** The LLM proxy; absent: off. */
  readonly proxy?: ProxyChoice
}

export interface StopInvocation extends AtSocket {
  readonly mode: 'stop'
}

export interface StatusInvocation extends AtSocket {
  readonly mode: 'status'
  readonly json: boolean
}

/** With a socket: through the server that listens there; else with a server of its own. */
export interface RpcInvocation extends AtSocket {
  readonly mode: 'rpc'
}

export interface AttachInvocation extends AtSocket {
  readonly mode: 'attach'
  readonly session: string
  readonly json: boolean
  /** What of the log is shown first: so many of its last events, or those after a seq. */
  readonly from: { readonly tail: number } | { readonly after: number }
}

export type ServerInvocation = ServeInvocation | StopInvocation | StatusInvocation | RpcInvocation | AttachInvocation

interface OfAuth<Action extends string> {
  readonly mode: 'auth'
  readonly action: Action
  readonly json: boolean
}

export interface AuthSetInvocation extends OfAuth<'set'> {
  readonly provider: string
  /** Beside those that are stored; else in their place. */
  readonly add: boolean
}

export interface AuthListInvocation extends OfAuth<'list'> {
  /** Absent: of all. */
  readonly provider?: string
}

export interface AuthRemoveInvocation extends OfAuth<'rm'> {
  readonly provider: string
  /** Absent: all of the provider. */
  readonly id?: string
}

export interface AuthVerifyInvocation extends OfAuth<'verify'> {
  readonly provider: string
}

export type AuthInvocation = AuthSetInvocation | AuthListInvocation | AuthRemoveInvocation | AuthVerifyInvocation

export type HelpTopic =
  'auth' | 'config' | 'models' | 'rxpi' | 'tool' | 'sessions' | 'doctor' | 'protocol' | ServerInvocation['mode']

export type Invocation =
  | { readonly mode: 'version' }
  | { readonly mode: 'protocol' }
  | { readonly mode: 'help'; readonly topic: HelpTopic }
  | PrintInvocation
  | ToolInvocation
  | SessionsInvocation
  | DoctorInvocation
  | ModelsInvocation
  | AuthInvocation
  | ConfigInvocation
  | ServerInvocation
