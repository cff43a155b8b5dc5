// Declares a session: one ordered stream of events, and commands that act at once.
import type { Observable } from 'rxjs'
import type { ImageContent } from '../../streams/messages/message.ts'
import type { OutputSchema } from '../../streams/messages/output-schema.ts'
import type { ModelsFile, RunLimits } from '../../streams/config/settings.ts'
import type { Answer, Question } from '../../streams/ports/ask.ts'
import type { LeaveStep } from '../../streams/ports/hooks.ts'
import type { Behavior } from '../../streams/rx/behavior.ts'
import type { NextRequest } from '../../streams/commands/context-commands.ts'
import type { ExtensionUi } from '../../streams/commands/extension-ui-commands.ts'
import type { CommandNamed, ResultOf } from '../../streams/commands/command.ts'
import type { RenderedEvent } from '../../streams/commands/render-commands.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import type { SessionHeader, SessionRecord } from '../../streams/log/log-line.ts'
import type { Model, ThinkingLevel } from '../../streams/models/model.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import type { ApprovalMode } from '../../streams/ports/policy.ts'
import type { FilesOffer } from '../../streams/environment/file-exchange.ts'
import type { TerminalsOffer } from '../../streams/environment/terminal-exchange.ts'
import type { JobReader } from '../../streams/ports/jobs.ts'
import type { PromptCommands } from '../../streams/ports/prompt-commands.ts'
import type { Scenarios } from '../../streams/ports/scenarios.ts'
import type { SessionStatus } from '../../streams/state/session-status.ts'
import type { Surfaces } from '../../streams/surfaces/surfaces.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'
import type { Failure } from '../../streams/values/failure.ts'

/** The commands that a session runs itself. */
export type SessionCommandType =
  | 'prompt'
  | 'steer'
  | 'follow_up'
  | 'abort'
  | 'continue'
  | 'clear_queue'
  | 'edit_queued'
  | 'remove_queued'
  | 'user_bash'
  | 'kill_job'
  | 'set_model'
  | 'set_thinking_level'
  | 'set_active_tools'
  | 'set_queue_mode'
  | 'set_approval_mode'
  | 'set_scenario_phase'
  | 'branch_session'
  | 'rename_session'
  | 'set_label'
  | 'undo'
  | 'compact'
  | 'context_edit'
  | 'context_pin'
  | 'ui_response'

/** A command as `send` takes it: the wire's fields without `session`; `model` may also be a model with its provider. */
export type SessionCommand =
  | { [Name in Exclude<SessionCommandType, 'set_model'>]: Omit<CommandNamed<Name>, 'session'> }[Exclude<
      SessionCommandType,
      'set_model'
    >]
  | { readonly type: 'set_model'; readonly model: string | ProviderModel }

/** The start of a reader. */
export interface ReadFrom {
  /** The `seq` after which to start reading the log; default 0: everything. */
  readonly after?: number
}

/** The options of one run of `Session.run`. */
export interface RunPromptOptions {
  readonly images?: readonly ImageContent[]
  /** False sends a text that begins with a slash as it is. Default true. */
  readonly expand?: boolean
  /** Of this run alone. Default: those of the session. */
  readonly limits?: RunLimits
  /** JSON Schema of the run's last answer. Default: text. */
  readonly outputSchema?: OutputSchema
  /**
   * If another run is on: `steer` and `follow_up` queue the prompt there, and the stream has the rest of that run;
   * `replace` aborts it and starts when it has settled; `wait` starts when it has settled. Default: the run is refused
   * with `busy`.
   */
  readonly whileRunning?: 'steer' | 'follow_up' | 'replace' | 'wait'
}

export interface Offer {
  /** Removes the tools from the registry and the active set. A second call does nothing. */
  withdraw(): void
}

/**
 * Adds tools; with `instead` they replace the tools of that offer, which is withdrawn.
 * @param changed called when the tools are exchanged, before the event is published; not if the offer is refused
 * @throws Failure `bad_request` if a name is taken, or the `readOnly` of the log
 */
export type OfferTools = (tools: readonly AnyTool[], instead?: Offer, changed?: () => void) => Offer

/** Models of extensions. */
export interface ExtensionModels {
  /** By name, as entries of `models.json`. */
  readonly endpoints: ModelsFile['providers']
  readonly models: readonly ProviderModel[]
}

/** One conversation with a model, on its log: live events, state, and commands that act at once. Never fails as a stream. */
export interface Session {
  readonly id: string
  readonly header: SessionHeader
  /** Line 1 of the log, without its line feed. */
  readonly headerLine: string
  /** The model of the next request. Without a usable one: a stand-in, whose name is that of the log at most. */
  readonly model: Model
  /** Why no model is usable: `prompt` and `continue` fail with it. Absent if `model` can be used. */
  readonly unusable?: Failure | undefined
  /** Of the next request. */
  readonly thinkingLevel: ThinkingLevel
  /** The tools of the next request. */
  readonly activeTools: readonly AnyTool[]
  /** Which tool calls ask; undefined without a policy. */
  readonly approvalMode?: ApprovalMode | undefined
  /** The phase that restricts the session; undefined outside of scenarios. */
  readonly scenario?: SessionStatus['scenario']
  /** The scenarios of `set_scenario_phase`. Absent: none. */
  readonly scenarios?: Scenarios | undefined
  /** The tools that `set_active_tools` can name. */
  readonly registeredTools: readonly AnyTool[]
  /** The commands that a prompt can begin with. Absent: none. */
  readonly commands?: PromptCommands | undefined
  /** Finds what a prompt can name as `@server:uri`. Absent: the session has no MCP servers. */
  findResources?:
    | ((wanted: Pick<CommandNamed<'find_resources'>, 'query' | 'limit'>) => Observable<ResultOf<'find_resources'>>)
    | undefined
  /**
   * Every line of the log has been checked. Until then (a long log, opened at its end) damage may still be found: a
   * `warning` reports it, and the session takes no more commands once its run has ended.
   */
  readonly isVerified: boolean
  /**
   * Why the log takes no more lines: it is damaged, or another program removed or changed its file. Absent if it takes
   * them.
   */
  readonly readOnly?: Failure | undefined
  /** The state of the session, folded from its events up to `state.seq`. */
  readonly state$: Behavior<SessionState>
  /** Live events, whole. Never fails; completes when the session is closed. */
  readonly events$: Observable<AgentEvent>
  /**
   * Live records: the same events as they were recorded, durable ones with `seq` and `line`. They are emitted in the
   * same synchronous step in which they are folded: a subscriber gets exactly the records after `state$.value.seq`.
   */
  readonly records$: Observable<SessionRecord>
  /** The log after `after`, then live, without gap or repeat. */
  events(from?: ReadFrom): Observable<AgentEvent>
  records(from?: ReadFrom): Observable<SessionRecord>
  /** The durable records of the log after `after`, read lazily; what is written while it is read is read too. */
  logged(from?: ReadFrom): Iterable<SessionRecord>
  /**
   * Acts at once, without a subscriber too, and returns the response, replayed to every subscriber. `client` names the
   * client that answers a question. Fails with a Failure: `busy`, `overloaded`, `storage`, `bad_request` …
   */
  send<Name extends SessionCommandType>(
    command: { readonly type: Name } & Extract<SessionCommand, { type: Name }>,
    options?: { readonly opId?: string; readonly client?: string },
  ): Observable<ResultOf<Name>>
  /**
   * Cold: a subscription is a run of this prompt. Emits the run's events and completes after its `agent_settled`; a run
   * that fails says so in `agent_end`. Unsubscribing aborts it. A run that is ending already is waited for. Fails with
   * a Failure if the session refuses the prompt (`busy`, `no_model` …) or cannot write its log (`storage`). Buffers
   * nothing.
   */
  run(prompt: string, options?: RunPromptOptions): Observable<AgentEvent>
  /**
   * Calls the listener with each event, in order, as it is published. Returns the function that removes the
   * listener. Its first throw becomes a `warning` event, `listener_failed`, and a line on stderr; it is called again
   * later.
   */
  listen(listener: (event: AgentEvent) => void): () => void
  /**
   * Asks the clients that can answer: each subscription is a question of its own. `source` names the asker for people:
   * default `host`.
   */
  ask(question: Question & { readonly source?: string }): Observable<Answer>
  /**
   * Never emits. A subscription means that a client can answer (by `ui_response`), now and for 30 s after it ends.
   * Without one, a question gets its default at once.
   */
  readonly answering$: Observable<never>
  /** As `answering$`, for a client that also shows and answers `question` events. */
  readonly answeringQuestions$?: Observable<never>
  /**
   * Adds tools, registered and active until they are withdrawn; each change is an `active_tools_change`. With `instead`
   * they take the place of an earlier offer.
   * @throws Failure `bad_request` if a name is taken, `read_only` if the log takes no lines
   */
  readonly offer: OfferTools
  /**
   * Lets the tools read and write the files of a client in place of the disk, until the returned function is called. The last
   * offer counts. Absent: the session runs no tools here.
   */
  offerFiles?(offer: FilesOffer): () => void
  /**
   * Lets `bash` run commands outside of the sandbox in terminals of a client, until the returned function is called. The last
   * offer counts. Absent: the session runs no tools here.
   */
  offerTerminals?(offer: TerminalsOffer): () => void
  /** Running and ended jobs, of tools and of the user, in memory: after opening, none. */
  readonly jobs: JobReader
  /** Drawings for the screens of clients. Absent: there are no extensions. */
  readonly surfaces?: Surfaces | undefined
  /** The models that its extensions offer now. Absent: it has no extensions. */
  readonly extensionModels?: (() => ExtensionModels) | undefined
  /** Lets an extension draw the event. Emits once. Absent: it has no extensions. */
  readonly renderEvent?: ((event: AgentEvent) => Observable<RenderedEvent>) | undefined
  /** Loads its extensions anew; emits the names of those that run then. Absent: it has none. */
  readonly reload?: (() => Observable<readonly string[]>) | undefined
  /** Display of its extensions. Absent: it has none. */
  readonly extensionUi?: (() => ExtensionUi) | undefined
  /**
   * Calls the hooks before a person leaves this session for another one, or copies a branch of it. Completes if none cancels it;
   * fails with a Failure: `not_allowed`, or that of the hook. Absent: no hook is called.
   */
  checkLeave?(step: LeaveStep): Observable<never>
  /** The content of the next request. Absent: the session makes none. */
  nextRequest?(): NextRequest
  /** The active tools that requests leave out until `search_tools` finds them. Absent: none. */
  unlistedTools?(): readonly AnyTool[]
  /** Ends the run that is on with this reason, and the shell commands of people. */
  stop(reason: 'client_disconnected' | 'server_shutdown'): void
  /** Ends a run (`server_shutdown`), syncs and closes the log; completes when nothing is left behind. */
  close(): Observable<never>
}
