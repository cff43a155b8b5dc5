// Types of a parsed command line: one invocation per command.
import type { AuthInvocation } from './auth-arguments.ts'
import type { CompactInvocation, ContextChangeInvocation } from './session-context-arguments.ts'
import type { ConfigInvocation, ImportPiInvocation } from './config-arguments.ts'
import type { ThinkingLevel } from '../../lib/streams/models/model.ts'
import type { ApprovalMode } from '../../lib/streams/ports/policy.ts'
import type { SandboxMode } from '../../lib/streams/ports/sandbox.ts'
import type { ExtensionsInvocation } from './extensions-arguments.ts'
import type { McpInvocation } from './mcp-arguments.ts'
import type { ModelsInvocation } from './models-arguments.ts'
import type { PolicyInvocation } from './policy-arguments.ts'
import type { PackagesInvocation } from './packages-arguments.ts'
import type { McpServeInvocation, ServerInvocation } from './server-invocation.ts'

/** The session to open and its options. */
export interface SessionChoice {
  /** Absolute. */
  readonly cwd: string
  readonly model?: string
  readonly thinkingLevel?: ThinkingLevel
  readonly tools?: readonly string[]
  readonly approve?: ApprovalMode
  readonly sandbox?: SandboxMode
  /** The phase that the opened session enters; default the first of the scenario. */
  readonly scenario?: { readonly name: string; readonly phase?: string }
  /** Files and folders of extensions, absolute. */
  readonly extensions?: readonly string[]
  /** Trusts the project's own configuration for this session. Default false. */
  readonly trust?: boolean
  /** The text, or `@` and a file name. */
  readonly system?: string
  /** The same. */
  readonly appendSystem?: string
  /** False: no AGENTS.md is read. */
  readonly instructions?: false
  readonly from: { readonly session: string } | 'latest' | 'new' | 'unstored'
}

export interface PrintInvocation {
  readonly mode: 'print'
  readonly format: 'text' | 'json'
  readonly choice: SessionChoice
  /** The words of the prompt, joined by spaces; '' if there are none. */
  readonly words: string
  /** Names of `@` files, without the `@`. */
  readonly files: readonly string[]
  /** `only`: without `-p`. Words or files then are the first prompt of the terminal UI; without them a run needs piped input. */
  readonly stdin: 'added' | 'ignored' | 'only'
  /** The user picks a session from a list; needs the terminal UI. */
  readonly resume?: boolean
  /** Without `-p`: the name of an option that needs a run. */
  readonly loneOption?: string
  readonly limits: { readonly turns?: number; readonly usd?: number }
  readonly timeoutMs?: number
  /** Absolute path of a file with the JSON Schema of the answer. */
  readonly outputSchema?: string
  /** Socket of the server that may hold the session, if the lock names none. */
  readonly socket?: string
}

/** Starts the terminal UI. */
export interface UiInvocation {
  readonly choice: SessionChoice
  /** Sent to the first session that is shown. */
  readonly prompt?: string
  /** The user picks a session from a list. Default false. */
  readonly resume?: boolean
  /** As on the command line. */
  readonly socket?: string
}

/** rxpi as an agent for editors. */
export interface AcpInvocation {
  readonly mode: 'acp'
  /** As on the command line; absent: the default. */
  readonly socket?: string
  /** Of each session that the editor opens. */
  readonly options: Omit<SessionChoice, 'cwd' | 'from'>
}

export interface ToolInvocation extends Pick<SessionChoice, 'cwd' | 'approve' | 'sandbox' | 'trust'> {
  readonly mode: 'tool'
  readonly name: string
  readonly args: Record<string, unknown>
  readonly json: boolean
}

export interface ContextInvocation {
  readonly mode: 'context'
  /** Without a session: a new one, which is not stored. */
  readonly choice: SessionChoice
  readonly json: boolean
}

export interface DoctorInvocation {
  readonly mode: 'doctor'
  readonly cwd: string
  readonly model?: string
  readonly json: boolean
}

export type Shell = 'bash' | 'zsh' | 'fish'

export interface CompletionsInvocation {
  readonly mode: 'completions'
  readonly shell: Shell
  /** For the candidates: of bash the line up to the cursor, of others its words. Absent: prints the script. */
  readonly line?: readonly string[]
}

interface OfSessions<Action extends string> {
  readonly mode: 'sessions'
  readonly action: Action
  readonly json: boolean
}

export interface LogInvocation extends OfSessions<'verify' | 'repair'> {
  /** A file path is absolute. */
  readonly target: { readonly session: string } | { readonly file: string }
}

export interface ReplayInvocation extends OfSessions<'replay'> {
  /** A file path is absolute. */
  readonly target: LogInvocation['target']
  /** 1 = recorded speed, 0 = as fast as possible. */
  readonly speed?: number
  readonly maxPauseMs?: number
}

export interface ListInvocation extends OfSessions<'list'> {
  /** Absolute; absent: all folders. */
  readonly cwd?: string
}

export interface SearchInvocation extends OfSessions<'search'> {
  /** Absolute; absent: all folders. */
  readonly cwd?: string
  readonly text: string
}

export interface TreeInvocation extends OfSessions<'tree'> {
  /** A file path is absolute; '' is the session that `rxpi -c` continues here. */
  readonly target: LogInvocation['target']
}

export interface ShowInvocation extends OfSessions<'show'> {
  /** A file path is absolute; '' is the session that `rxpi -c` continues here. */
  readonly target: LogInvocation['target']
  /** Last entry of the conversation; absent: the head. */
  readonly entryId?: string
}

/** An action on one session without further arguments. */
export interface SwitchOrRemoveInvocation extends OfSessions<'switch' | 'rm'> {
  readonly session: string
}

export interface ExportInvocation extends OfSessions<'export'> {
  readonly target: LogInvocation['target']
  readonly format: 'pi' | 'markdown' | 'html'
  /** Absolute, as the file of `target`; absent: standard output. `overwrite`: replaces an existing file. */
  readonly to?: string
  readonly overwrite?: true
}

export interface ImportInvocation extends OfSessions<'import'> {
  /** Absolute, like `cwd`, the folder of the new session. */
  readonly file: string
  readonly cwd: string
}

export interface BranchInvocation extends OfSessions<'branch'> {
  readonly session: string
  readonly entryId: string
  /** Copies the branch into a new session. */
  readonly newFile: boolean
  /** Writes a summary of the branch that is left, at the start of the new one. */
  readonly summarise: boolean
}

/** Restores files together with the conversation: at an entry, or before the last run. */
export interface RewindInvocation extends OfSessions<'undo' | 'branch'> {
  /** For undo, '' is the session that `rxpi -c` continues here. */
  readonly session: string
  /** Absent: before the last run. */
  readonly toEntry?: string
  /** Prints the changes and makes none. */
  readonly dryRun: boolean
  /** Overwrites changes that the agent did not make. */
  readonly force: boolean
}

export interface RenameInvocation extends OfSessions<'rename'> {
  readonly session: string
  /** '' removes the title. */
  readonly title: string
}

export interface LabelInvocation extends OfSessions<'label'> {
  readonly session: string
  readonly entryId: string
  /** Null removes the label. */
  readonly label: string | null
}

export type SessionsInvocation =
  | CompactInvocation
  | ContextChangeInvocation
  | BranchInvocation
  | RewindInvocation
  | RenameInvocation
  | LabelInvocation
  | LogInvocation
  | ListInvocation
  | SearchInvocation
  | TreeInvocation
  | ShowInvocation
  | SwitchOrRemoveInvocation
  | ExportInvocation
  | ImportInvocation
  | ReplayInvocation

type CommandInvocation =
  | AcpInvocation
  | ToolInvocation
  | SessionsInvocation
  | ContextInvocation
  | DoctorInvocation
  | CompletionsInvocation
  | ModelsInvocation
  | AuthInvocation
  | ConfigInvocation
  | ImportPiInvocation
  | PolicyInvocation
  | ExtensionsInvocation
  | PackagesInvocation
  | McpServeInvocation
  | McpInvocation
  | ServerInvocation

export type HelpTopic = 'rxpi' | 'protocol' | CommandInvocation['mode']

export type Invocation =
  | { readonly mode: 'version' }
  | { readonly mode: 'protocol' }
  | { readonly mode: 'help'; readonly topic: HelpTopic }
  | PrintInvocation
  | CommandInvocation
