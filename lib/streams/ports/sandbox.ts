// The Sandbox port: where the commands of tools run, and which files the tools may touch.
// Guarantees: policy, bash, jobs and file tools of one session share one fence.
import type { Observable, Unsubscribable } from 'rxjs'
import type { Failure } from '../values/failure.ts'

/** `workspace` writes in the workspace and the temporary folder, `read-only` in the latter alone. */
export const sandboxProfiles = ['read-only', 'workspace'] as const
export type SandboxProfileName = (typeof sandboxProfiles)[number]

/** `auto`: `workspace` if the machine can, else none. */
export const sandboxModes = ['auto', 'off', ...sandboxProfiles] as const
export type SandboxMode = (typeof sandboxModes)[number]

export type FenceAccess = 'read' | 'write'

/** `outside` is readable, unless it is a credential; policy may ask for it (docs/design/security.md#S6). */
export type FenceZone = 'workspace' | 'temp' | 'readable' | 'outside'

export interface FencedPath {
  readonly allowed: true
  /** Absolute, real: open this one, with `openInside`. */
  readonly path: string
  readonly zone: FenceZone
  /** True if a person decides about each such write: start-up files, `.envrc`, `.vscode`, skills. */
  readonly asks: boolean
}

export interface FenceRefusal {
  readonly allowed: false
  readonly path: string
  /** `credential` and `protected` stay refused; a person can permit `outside`. */
  readonly reason: 'credential' | 'protected' | 'outside'
  /** Code `not_allowed`. */
  readonly failure: Failure
}

export interface PathFence {
  /** @param file absolute, as the model wrote it, resolved against the session's folder */
  check(file: string, access: FenceAccess): FencedPath | FenceRefusal
  /** As `check`, for a path that is already real: no link is followed. */
  checkReal(real: string, access: FenceAccess): FencedPath | FenceRefusal
}

/** A program to run inside. */
export interface ConfinedProgram {
  /** Absolute path. */
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Its first value ends the processes, SIGTERM first; the stream continues until they have ended. */
  readonly endWhen$?: Observable<unknown>
  /** Runs it in a terminal that takes this input. Default: standard input is empty. */
  readonly input$?: Observable<string>
}

export interface ConfinedOutput {
  readonly type: 'output'
  readonly stream: 'stdout' | 'stderr'
  readonly text: string
}

/** At most once, before `end`: entries that the program created at forbidden paths. */
export interface ConfinedIntruders {
  readonly type: 'fence'
  /** New names of entries that were moved away from a reserved path. */
  readonly moved: readonly string[]
  /** Entries that appeared at a path where a person decides about each write. */
  readonly appeared: readonly string[]
}

/** Last value: no process of the program is left but `survivors`. */
export interface ConfinedEnd {
  readonly type: 'end'
  /** Null if a signal ended it. */
  readonly exitCode: number | null
  readonly signal: `SIG${string}` | null
  /** True if `endWhen$` ended it. */
  readonly cutShort: boolean
  /** Processes that outlived the program and were ended. */
  readonly leftBehind: readonly ConfinedProcess[]
  /** Processes that could not be ended, such as other users'. */
  readonly survivors: readonly ConfinedProcess[]
}

export interface ConfinedProcess {
  readonly pid: number
  readonly name: string
}

export type ConfinedEvent = ConfinedOutput | ConfinedIntruders | ConfinedEnd

export interface ConfinedTool {
  readonly name: string
  readonly sandboxed?: boolean
}

/** A connection that the network rules refused. */
export interface RefusedConnection {
  readonly host: string
  readonly port: number
}

/**
 * The sandbox of one session. The session waits for `ready$` before it decides about a call, so that `profile` and
 * `confines` are final when policy and tools read them.
 */
export interface SessionSandbox {
  /** Undefined: commands run without a sandbox, or `ready$` has not emitted yet. */
  readonly profile: SandboxProfileName | undefined
  /** Why there is none although the settings ask for it, and what to do; undefined if there is nothing to say. */
  readonly problem: string | undefined
  /**
   * Prepares the sandbox with the first subscription and emits once, synchronously if it is ready. Fails with a Failure if
   * the settings demand a sandbox that this machine cannot have.
   */
  readonly ready$: Observable<void>
  /**
   * True if the sandbox confines everything that the call does: the tool keeps to it (`Tool.sandboxed`), and the arguments
   * have no `escalate`. False for each call while there is no sandbox.
   */
  confines(tool: ConfinedTool, args: Readonly<Record<string, unknown>>): boolean
  /**
   * Absolute folders beside the workspace that calls inside may write: its temporary folder, by the names that it has
   * inside too (`/tmp`), and those of the settings. Empty without a sandbox, and before `ready$`.
   */
  readonly insideFolders: readonly string[]
  /** For the file tools; without a sandbox it refuses credentials and protected paths only. Use it after `ready$`. */
  readonly fence: PathFence
  /** The fence of one call: as `fence`, and with what a person permitted for this call. */
  fenceOf(toolCallId: string): PathFence
  /**
   * The real path of a file whose change only its place outside the folders of the session forbids, else undefined. `file`
   * is a tool's argument, relative to `cwd`.
   */
  outsideTarget(file: string, cwd: string): string | undefined
  /**
   * Lets one call write this real path outside the folders of the session; credentials and protected paths stay refused.
   * Ends with `forbid`.
   */
  permit(toolCallId: string, real: string): void
  forbid(toolCallId: string): void
  /**
   * Begins to exchange a file with a program outside, which opens it by its name. Undefined while a program runs inside, which
   * could put a link there; programs then wait until it is unsubscribed. Absent: such an exchange is not safe.
   */
  exchange?(): Unsubscribable | undefined
  /** Runs a program inside, without a sandbox outside. Unsubscribing ends all its processes. */
  spawn(program: ConfinedProgram): Observable<ConfinedEvent>
  /** Connections of programs inside that the network rules refused; hot. */
  readonly refusedConnections$: Observable<RefusedConnection>
  /**
   * Words for the model about a failed command, if the fence may be the cause: what to do, and `escalate`. Emits at most
   * one text and completes.
   */
  explain(failure: ConfinedFailure): Observable<string>
}

export interface ConfinedFailure {
  /** Null if a signal ended it. */
  readonly exitCode: number | null
  /** The end of its output. */
  readonly output: string
  /** Connections that were refused meanwhile. */
  readonly refused: readonly RefusedConnection[]
}
