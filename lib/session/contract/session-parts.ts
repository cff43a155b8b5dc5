// Declares the parts that a session is opened with.
import type { Observable } from 'rxjs'
import type {
  QueueMode,
  QueueName,
  RequestSettings,
  RunPorts,
  ToolSurroundings,
} from '../../operators/ports/run-ports.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import type { Approve } from '../../streams/ports/hooks.ts'
import type { Ids } from '../../streams/values/identifiers.ts'
import type { RunLimits, Settings } from '../../streams/config/settings.ts'
import type { Scope } from '../../streams/rx/scope.ts'
import type { LogWriter, OpenWarning, SessionLog, SessionStore } from '../../streams/ports/session-log.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import type { Snapshots } from '../../streams/ports/snapshots.ts'
import type { Summariser } from '../../streams/ports/agent-context.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'
import type { UserShell } from '../../streams/ports/user-shell.ts'

/** The ports that a host may bring; what is absent has a default. */
export interface SessionOptions extends Partial<
  Pick<
    RunPorts,
    | 'hooks'
    | 'transformContext'
    | 'makeRoom'
    | 'convertToLlm'
    | 'stopWhen'
    | 'retry'
    | 'steering'
    | 'toolExecution'
    | 'validatorOf'
  >
> {
  /** Without it reads run, and everything else is refused with a message that names this option. */
  readonly approve?: Approve
  /** Of every run; a prompt's own limits go before them. Default: 120 s idle, 48 h wall clock, no budget. */
  readonly limits?: RunLimits
  /** Writes the summary of a branch that is left (`branch_session {summarise}`). Default: the session's own model does. */
  readonly summariser?: Summariser
  readonly queueModes?: Partial<Record<QueueName, QueueMode>>
  readonly ids?: Ids
  /** Keeps the files before a run changes them, so that `undo` can put them back. Default: they are not kept. */
  readonly snapshots?: Snapshots
}

export interface SessionParts {
  readonly log: SessionLog
  /** Takes the events of the open session; its `append` may take time. Default: `log`. */
  readonly writer?: LogWriter
  /** What opening the log had to say; it is written to the log. Default: nothing. */
  readonly warnings?: readonly OpenWarning[]
  /** What the log folds to, where it was read already, with what is open in it. Default: it is read now. */
  readonly initial?: SessionState
  /** What the session is opened with; asked anew for each request. Commands change it (`set_model` …). */
  settings(): RequestSettings
  /** The tools that `set_active_tools` chooses from. Default: those of `settings`. */
  readonly registry?: readonly AnyTool[]
  /** The system prompt for other active tools. Default: it stays as it is. */
  systemFor?(tools: readonly AnyTool[]): string
  /** Finds what `set_model` names: emits once, or fails with a Failure. Default: no model is found by name. */
  resolveModel?(name: string): Observable<ProviderModel>
  /** Makes a session of a branch. Default: it is refused. */
  copyBranch?(branch: Omit<BranchToCopy, 'store'>): Observable<CopiedBranch>
  /** Runs what `user_bash` is given. Default: it is refused. */
  readonly userShell?: UserShell
  readonly tools: Omit<ToolSurroundings, 'sessionId'>
  readonly options: SessionOptions
  /** Ended when the session is closed: what is to live as long as it is bound here. Default: one of its own. */
  readonly scope?: Scope
}

// A branch that is to become a session of its own, and that session.

export interface BranchToCopy {
  readonly log: Pick<SessionLog, 'header' | 'records'>
  /** What the log folds to. */
  readonly state: SessionState
  /** Where the branch ends; null is refused. */
  readonly entryId: string | null
  /** Where the copy is made. */
  readonly store: Pick<SessionStore, 'create' | 'open' | 'madeBy'>
  /** Of the command that asks for it: given again, it is answered with the session that it made then. */
  readonly opId?: string | undefined
  readonly ids: Ids
  /** Unix ms. */
  readonly now: number
}

export interface CopiedBranch {
  readonly session: string
  readonly headEntryId: string
}

// What a user's settings say of every run, as a session's options take it.

/** Only what somebody set: the defaults are the session's. What the session was left with goes before the settings. */
export function settingsOptions(
  settings: Settings,
  left: Pick<SessionState, 'queueModes'> = {},
): Pick<SessionOptions, 'limits' | 'toolExecution' | 'steering' | 'queueModes'> {
  const { limits, toolExecution, steering, steeringMode, followUpMode } = settings
  return {
    ...(limits === undefined ? {} : { limits }),
    ...(toolExecution === undefined ? {} : { toolExecution }),
    ...(steering === undefined ? {} : { steering }),
    queueModes: {
      ...(steeringMode === undefined ? {} : { steering: steeringMode }),
      ...(followUpMode === undefined ? {} : { followUp: followUpMode }),
      ...left.queueModes,
    },
  }
}
