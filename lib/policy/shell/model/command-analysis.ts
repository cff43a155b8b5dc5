// Declares what the analysis of a shell command returns.

/** How much harm a class can do, worst first. */
export type Tier = 'critical' | 'high' | 'medium'

export type CommandClass =
  | 'recursive_delete'
  | 'device_write'
  | 'fork_bomb'
  | 'disk_wipe'
  | 'reverse_shell'
  | 'pipe_to_shell'
  | 'shutdown'
  | 'permission_escalation'
  | 'process_termination'
  | 'credential_files'
  | 'history_rewriting'
  | 'publishing'
  | 'package_installation'
  | 'network_listener'

/** Tier and description in plain words of each class, worst first. */
export const commandClasses: Readonly<Record<CommandClass, { readonly tier: Tier; readonly words: string }>> = {
  recursive_delete: { tier: 'critical', words: 'deletes a folder tree' },
  device_write: { tier: 'critical', words: 'writes to a device' },
  fork_bomb: { tier: 'critical', words: 'starts processes without end' },
  disk_wipe: { tier: 'critical', words: 'erases a disk or a file system' },
  reverse_shell: { tier: 'critical', words: 'gives another machine a shell on this one' },
  pipe_to_shell: { tier: 'high', words: 'runs code that it downloads or reads from a pipe' },
  shutdown: { tier: 'high', words: 'stops or restarts the machine' },
  permission_escalation: { tier: 'high', words: 'takes or gives more permissions' },
  process_termination: { tier: 'high', words: 'ends running processes' },
  credential_files: { tier: 'high', words: 'touches keys, passwords or tokens' },
  history_rewriting: { tier: 'medium', words: 'rewrites or discards version history' },
  publishing: { tier: 'medium', words: 'publishes to other people' },
  package_installation: { tier: 'medium', words: 'installs packages, whose scripts run' },
  network_listener: { tier: 'medium', words: 'accepts connections from the network' },
}

/** Reasons of findings about `sudo`, containers and their like, which say nothing of what runs in them. */
export const otherUser = 'runs with the rights of another user'
export const openContainer = 'starts a container that is not separated from this machine'
export const otherSpaces = 'enters the name spaces or takes the capabilities of others'
export const wrapperReasons: ReadonlySet<string> = new Set([otherUser, openContainer, otherSpaces])

export interface ClassFinding {
  readonly class: CommandClass
  readonly tier: Tier
  /** The simple command as written after expansion, at most 200 characters. */
  readonly command: string
  /** One sentence for a person: what this command would do. */
  readonly why: string
}

/** One word after expansion. Quotes and escapes are removed. */
export interface ShellWord {
  /** The exact value; undefined if a part is unknown or a glob that the shell would expand. */
  readonly value: string | undefined
  /** For display: unknown parts read `…`, globs as written. */
  readonly text: string
  /** The word is a glob and nothing in it is unknown: it becomes names of existing files. */
  readonly isGlob?: boolean
}

export interface ShellRedirection {
  /** The file; undefined for duplicated descriptors and here-documents. */
  readonly target: ShellWord | undefined
  readonly mode: 'read' | 'write' | 'both' | 'duplicate' | 'text'
}

/** Where a simple command stands. */
export type CommandContext =
  | 'pipe'
  | 'subshell'
  | 'substitution'
  | 'background'
  | 'function'
  | 'condition'
  | 'loop'
  | 'nested'

/** One program call with its words: what remains of a command text after all syntax. */
export interface SimpleCommand {
  /** Command name first; empty for bare assignments and redirections. */
  readonly words: readonly ShellWord[]
  /** Assignments before the name; the value is undefined if unknown. */
  readonly assignments: readonly { readonly name: string; readonly value: string | undefined }[]
  readonly redirections: readonly ShellRedirection[]
  /** `nested`: the command stands in a text or behind a wrapper such as `sudo`, `xargs` or `sh -c`. */
  readonly context: readonly CommandContext[]
  /** Absolute folders in which it may run; undefined if unknown. */
  readonly cwd: readonly string[] | undefined
  /** The wrapper that runs it (`sudo`, `xargs`, `bash -c` …); absent if the shell runs it itself. */
  readonly wrapper?: string
}

/** A path with `..`, as the command names it: if a folder in it is a link, `..` leaves the folder to which that leads. */
export interface PathClimb {
  readonly access: 'read' | 'write'
  /** Absolute; `*` stands for any part of a name. */
  readonly file: string
}

/** Something that the analysis cannot decide; the policy asks. */
export interface Unknown {
  readonly kind: 'syntax' | 'command' | 'text' | 'code' | 'file' | 'limit'
  /** The part of the command, at most 200 characters. */
  readonly text: string
  /** One sentence for a person. */
  readonly why: string
}

export interface CommandAnalysis {
  /** All simple commands that may run, in order of the text, wrappers before what they wrap. */
  readonly commands: readonly SimpleCommand[]
  /** Findings, worst first; each class and command once. */
  readonly classes: readonly ClassFinding[]
  /** Absolute paths that the command visibly writes, creates, changes or deletes. `*` stands for any part of a path. */
  readonly writes: readonly string[]
  /** Absolute paths that the command visibly reads; `*` as in `writes`. */
  readonly reads: readonly string[]
  /** Those of `writes` and `reads` in which `..` was resolved as text. */
  readonly climbs: readonly PathClimb[]
  /** True if nothing is unknown. */
  readonly isComplete: boolean
  readonly unknowns: readonly Unknown[]
  /** Working folders after the command; undefined if unknown, several if a `cd` may have failed. */
  readonly cwd: readonly string[] | undefined
  /** Names of variables that the command assigns or exports. */
  readonly assigned: readonly string[]
}

export interface AnalyseOptions {
  /** Absolute working folder in which the command starts. */
  readonly cwd: string
  /** Absolute home folder. */
  readonly home: string
  /** Absolute workspace folder. Default: `cwd`. */
  readonly workspace?: string
  /** Variables whose value is certain. A variable that is missing here may have any value. */
  readonly env?: Readonly<Record<string, string | undefined>>
}
