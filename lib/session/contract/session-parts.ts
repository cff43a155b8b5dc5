// Declares the parts that a session is opened with.
import type { ExtensionTheme } from '../../streams/commands/extension-ui-commands.ts'
import type { Observable } from 'rxjs'
import type {
  QueueMode,
  QueueName,
  RequestSettings,
  RunPorts,
  ToolSurroundings,
} from '../../operators/ports/run-ports.ts'
import type { RunOptions } from '../../operators/run/run.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { CompactionStep } from '../../operators/compaction/compact.ts'
import type { CompactionSettings } from '../../operators/compaction/plan-compaction.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import type { Approve } from '../../streams/ports/hooks.ts'
import type { ExtensionSet } from '../../extensions/lifecycle/set-contract.ts'
import type { Failure } from '../../streams/values/failure.ts'
import type { Ids } from '../../streams/values/identifiers.ts'
import type { RunLimits, Settings } from '../../streams/config/settings.ts'
import type { ToolDiscoverySetting } from '../../streams/config/tool-discovery-setting.ts'
import type { Scope } from '../../streams/rx/scope.ts'
import type { KilledWriter, LogWriter, OpenWarning, SessionLog, SessionStore } from '../../streams/ports/session-log.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import type { Secrets } from '../../streams/ports/secrets.ts'
import type { Snapshots } from '../../streams/ports/snapshots.ts'
import type { PromptCommands } from '../../streams/ports/prompt-commands.ts'
import type { Scenarios } from '../../streams/ports/scenarios.ts'
import type { SessionSandbox } from '../../streams/ports/sandbox.ts'
import type { ApprovalMode, Policy } from '../../streams/ports/policy.ts'
import type { ContextNotes } from '../../streams/ports/context-notes.ts'
import type { PromptSections } from '../../streams/ports/prompt-sections.ts'
import type { Summariser, SummaryRequest } from '../../streams/ports/agent-context.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'
import type { CreateToolSearch } from '../../streams/tool-definition/tool-search.ts'
import type { UserShell } from '../../streams/ports/user-shell.ts'
import type { ToolPolicy } from '../../operators/tool-pipeline/tool-draft.ts'
import type { ToolLayers } from '../../operators/tool-pipeline/tool-pipeline.ts'
import type { SessionRoles } from '../roles/roles-port.ts'
import type { SessionServers } from './servers-port.ts'
import type { ToolList } from './tool-list-port.ts'

/** Optional ports and settings; each has a default. */
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
    | 'scheduleCalls'
    | 'validatorOf'
  >
> {
  /** Default: tools that only read run, others are refused with a message that names this option. */
  readonly approve?: Approve
  /** Decides every call in place of `approve`. Default: none, `approve` decides. */
  readonly policy?: Policy
  /** The mode that the policy starts with; `set_approval_mode` changes it. Default: `writes`, or a stricter recorded one. */
  readonly approvalMode?: ApprovalMode
  /** The limits of every run; those of a prompt precede them. Default: 120 s idle, 48 h wall clock, no budget. */
  readonly limits?: RunLimits
  /** Summarises a branch for `branch_session {summarise}`, and what is compacted. Default: the session's model does. */
  readonly summariser?: Summariser
  /**
   * Called with what the summariser returns for each request; the result takes its place. Default: it stays.
   */
  readonly aroundSummary?: (summary$: ReturnType<Summariser>, request: SummaryRequest) => ReturnType<Summariser>
  /** The commands that a prompt can begin with. Default: none, and every text goes to the model as it is. */
  readonly commands?: PromptCommands
  /** The phases that `set_scenario_phase` can enter. Default: none. They need a `policy`, which enforces them. */
  readonly scenarios?: Scenarios
  /** When and how far the conversation is compacted. Default: before a request, and after an overflow unless `makeRoom` is set. */
  readonly compaction?: CompactionSettings
  /**
   * Called before the first summary of a compaction, by a person (`manual`) or by itself. Completes if it may go on; fails to cancel it.
   * Default: none is cancelled.
   */
  readonly beforeCompaction?: (input: {
    readonly trigger: 'manual' | 'auto'
    readonly focus?: string
  }) => Observable<never>
  /** The step that compacts. Default: `compact({ summariser, ...compaction })`. */
  readonly compact?: CompactionStep
  readonly queueModes?: Partial<Record<QueueName, QueueMode>>
  readonly ids?: Ids
  /** Stores the files before a run changes them, for `undo`. Default: none are stored. */
  readonly snapshots?: Snapshots
  /** Where commands of tools run, and the fence of file tools. Default: none, and nothing is confined. */
  readonly sandbox?: SessionSandbox
  /** The scopes and capabilities that tools may need: others are not registered. Default: every one. */
  readonly allowedTools?: Pick<ToolPolicy, 'scopes' | 'capabilities'>
  /** Layers in place of those that build the session's tools (docs/operators.md). Default: none is replaced. */
  readonly toolLayers?: Partial<ToolLayers>
  /**
   * The first request freezes the list of tools that requests carry, so that providers can cache it. A note describes a tool
   * that becomes active later; the model calls it through the tool `use_tool`. Another model or a compaction freezes anew.
   * Default: each request carries the active tools; of `createSession`: true, unless `tools` lists them.
   */
  readonly freezeTools?: boolean
  /**
   * When requests leave out tools of extensions, clients and servers, which `search_tools` then finds: if they weigh more than
   * this percentage of the model's window. It needs `freezeTools`, and `createToolSearch` of `openSession`. Default 10.
   */
  readonly toolDiscovery?: ToolDiscoverySetting
  /** Names of tools that are in each request, whoever brings them. Default: none beside the program's own. */
  readonly listedTools?: readonly string[]
}

/** The ports of `openSession`: nothing is read from this machine unless a part does. */
export interface SessionParts {
  readonly log: SessionLog
  /** Extensions that are set up; their tools are in `toolList`. They end with the session. Default: none. */
  readonly extensions?: ExtensionSet
  /** MCP servers; their first tools are in `toolList`. They end with the session. Default: none. */
  readonly servers?: SessionServers | undefined
  /** Themes of installed packages, for clients. Default: none. */
  readonly packageThemes?: readonly ExtensionTheme[]
  /** Takes the events of the open session; its `append` may take time. Default: `log`. */
  readonly writer?: LogWriter
  /** The warnings of opening the log; they are written to the log. Default: none. */
  readonly warnings?: readonly OpenWarning[]
  /** The folded log, if the caller has read it already. Default: it is read now. */
  readonly initial?: SessionState
  /** The settings that the session is opened with, read for each request. Commands change them (`set_model` …). */
  settings(): RequestSettings
  /** The tools that `set_active_tools` can name. Default: those of `settings`. */
  readonly registry?: readonly AnyTool[]
  /** The tools as the caller has built them, in place of `registry`, of the layers and of the tools of `settings`. */
  readonly toolList?: ToolList
  /** Makes `search_tools`. Default: there is no search, and requests leave no tool out. */
  readonly createToolSearch?: CreateToolSearch
  /** The sections of the system prompt for these active tools. Default: the prompt of `settings` stays as it is. */
  sectionsFor?(tools: readonly AnyTool[]): PromptSections
  /** The notes about changes around the conversation, which the model reads. Default: none. */
  readonly contextNotes?: ContextNotes
  /** Finds the model that `set_model` names: emits once, or fails with a Failure. Default: names are refused. */
  resolveModel?(name: string): Observable<ProviderModel>
  /** The models of roles: of summaries, of phases that plan, and of runs. Default: the session's model does all. */
  readonly roles?: SessionRoles | undefined
  /** Why the model of `settings` is only a stand-in: the `no_model` of prompts. Default: it can be used. */
  readonly unusable?: Failure
  /**
   * Chooses the model again, for each prompt of a session without a usable one: emits once, or fails with a Failure.
   * Default: such a session refuses prompts until `set_model`.
   */
  chooseModel?(): Observable<ProviderModel>
  /**
   * Loads the facts of the model of `settings`, which lacks them: emits once when `settings` has them; undefined if it has.
   * Prompts wait for it, and fail with it. Default: the model has its facts.
   */
  pendingModel?(): Observable<unknown> | undefined
  /** Copies a branch into a session of its own. Default: refused. */
  copyBranch?(branch: Omit<BranchToCopy, 'store'>): Observable<CopiedBranch>
  /**
   * Plays the runs in place of `run` of `rxpi/operators`: emits `agent_start` first and `agent_settled` last, calls `onSettled` just
   * before that, ends early after `stop`, and never fails; it appends each message to `ports.conversation`. Default: `run`.
   */
  run?(options: RunOptions): Observable<AgentEvent>
  /** Runs the command of `user_bash`. Default: refused. */
  readonly userShell?: UserShell
  /** Runs jobs of tools, in the session's sandbox. Default: `userShell`. */
  readonly jobShell?: UserShell
  readonly tools: Omit<ToolSurroundings, 'sessionId'>
  /** Hides secrets in what tools put out. Default: nothing is hidden. */
  readonly secrets?: Secrets
  readonly options: SessionOptions
  /** Ends the processes that killed ones left, and returns the names of those that `owner` started. Default: none. */
  readonly endOrphans?: (owner?: KilledWriter) => readonly string[]
  /** The session waits for it before it ends, at most 10 s: the commands of its hooks. Default: nothing. */
  readonly beforeEnd$?: Observable<never>
  /** When to retry failed writes; subscribed to while they fail. Default: every second. */
  readonly writeRetry$?: Observable<unknown>
  /** Ends when the session is closed. Default: a scope of its own. */
  readonly scope?: Scope
}

export interface BranchToCopy {
  readonly log: Pick<SessionLog, 'header' | 'records'>
  /** The folded log. */
  readonly state: SessionState
  /** The last entry of the branch; null is refused. */
  readonly entryId: string | null
  /** The store of the copy. */
  readonly store: Pick<SessionStore, 'create' | 'open' | 'madeBy'>
  /** The command's `opId`: a repeated command returns the session of the first one. */
  readonly opId?: string | undefined
  readonly ids: Ids
  /** Unix ms. */
  readonly now: number
}

export interface CopiedBranch {
  readonly session: string
  readonly headEntryId: string
}

/** A session's options from the user's settings, without defaults. The session's own queue modes precede the settings. */
export function settingsOptions(
  settings: Settings,
  recorded: Pick<SessionState, 'queueModes'> = {},
): Pick<
  SessionOptions,
  'limits' | 'retry' | 'compaction' | 'toolExecution' | 'toolDiscovery' | 'listedTools' | 'steering' | 'queueModes'
> {
  const { compaction, limits, retry, tools, toolDiscovery, toolExecution, steering, steeringMode, followUpMode } =
    settings
  return {
    ...(limits === undefined ? {} : { limits }),
    ...(retry === undefined ? {} : { retry }),
    ...(compaction === undefined ? {} : { compaction }),
    ...(toolExecution === undefined ? {} : { toolExecution }),
    ...(toolDiscovery === undefined ? {} : { toolDiscovery }),
    ...(tools === undefined ? {} : { listedTools: tools }),
    ...(steering === undefined ? {} : { steering }),
    queueModes: {
      ...(steeringMode === undefined ? {} : { steering: steeringMode }),
      ...(followUpMode === undefined ? {} : { followUp: followUpMode }),
      ...recorded.queueModes,
    },
  }
}
