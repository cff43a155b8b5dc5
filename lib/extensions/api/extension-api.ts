// Declares what an extension gets in `setup`; the end of its scope takes back what it registers.
import type { Observable, ObservableInput } from 'rxjs'
import type { Behavior } from '../../streams/rx/behavior.ts'
import type { CommandNamed } from '../../streams/commands/command.ts'
import type { AgentEvent, EventNamed } from '../../streams/events/event.ts'
import type { ContextTransform } from '../../streams/ports/agent-context.ts'
import type { BeforeToolCallAnswer, HookAnswer, ToolCallHookInput, StopRule } from '../../streams/ports/hooks.ts'
import type { Invocation } from '../../streams/messages/message.ts'
import type { PromptTransform } from '../../streams/ports/prompt-sections.ts'
import type { Model } from '../../streams/models/model.ts'
import type { Scope } from '../../streams/rx/scope.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'
import type { ExtensionHook, HookName } from './extension-hooks.ts'
import type { ExtensionModelsApi } from './models-contract.ts'
import type { ExtensionUiApi } from './extension-ui.ts'
import type { Registration } from './registration.ts'

export type { Registration }

export interface PriorityOption {
  /** The higher goes first; of equal ones the extension that was loaded first. Default 0. */
  readonly priority?: number
}

export interface HookOptions extends PriorityOption {
  /** Milliseconds that an awaited hook may take; time stands still while a question is open. Default 30,000. */
  readonly limitMs?: number
}

/** The time limit of a hook that sets none, in milliseconds. */
export const defaultHookLimitMs = 30_000

/** The answer of an extension's command: a text for the person, a prompt for the model, or undefined. */
export type ExtensionCommandAnswer = string | { readonly prompt: string; readonly invocation?: Invocation }

export interface ExtensionCommand {
  /** Without the slash: letters, digits, `.`, `:`, `_` and `-`, a letter first. */
  readonly name: string
  readonly description: string
  /** Syntax of the arguments, for people. */
  readonly argument?: string
  /** Called with what follows the name. It has no time limit; closing the session unsubscribes it. */
  run(args: string): HookAnswer<ExtensionCommandAnswer>
}

/** The commands that an extension may send to its session (docs/design/security.md#S1: none about policy or answers). */
export const extensionCommandTypes = [
  'prompt',
  'steer',
  'follow_up',
  'abort',
  'continue',
  'clear_queue',
  'set_model',
  'set_thinking_level',
  'set_active_tools',
  'set_scenario_phase',
  'rename_session',
  'set_label',
  'compact',
  'context_edit',
  'context_pin',
  'branch_session',
] as const
export type ExtensionCommandType = (typeof extensionCommandTypes)[number]
export type ExtensionSessionCommand = {
  [Name in ExtensionCommandType]: Omit<CommandNamed<Name>, 'session'>
}[ExtensionCommandType]

/** The session that an extension works in. */
export interface ExtensionSession {
  readonly id: string
  /** Absolute. */
  readonly cwd: string
  /** The state, folded from the events. Undefined before the session is open (`session_start`). */
  state(): SessionState | undefined
  /** The model of the next request. Undefined before the session is open. */
  model(): Model | undefined
  /**
   * Acts at once, emits the response and completes. Needs the capability `session`. Fails with a Failure: `bad_request` before the session
   * is open, and for a command that extensions may not send. A phase that lets calls do more, or changes the model, waits for a person:
   * `not_allowed` if the person refuses it, or no client can ask.
   */
  send(command: ExtensionSessionCommand): Observable<object>
  /** Emits the `custom` events of this type that the log has, oldest first, and completes. Reads the whole log: use it in `session_start`. */
  recorded(customType: string): Observable<EventNamed<'custom'>>
  /**
   * Loads every extension of the session anew, this one too: its files are read, if a person trusts them. Starts in the call,
   * completes when all are loaded, and goes on though this extension ends. @throws Failure `bad_request` before the session is open
   */
  reload(): Observable<never>
  /** Asks the clients to leave when the session is idle: the terminal UI ends. The session stays. @throws Failure `bad_request` before the session is open */
  requestLeave(): void
  /**
   * Asks the clients that show this session to open another one: `session`, or a new one in its folder. This one stays open.
   * @throws Failure `bad_request` before the session is open
   */
  requestOpen(session?: string): void
  /** Appends a note that the model reads before its next request; the log keeps it. */
  note(text: string): void
}

export interface ExecOptions {
  /** Default: the session's folder. */
  readonly cwd?: string
  /** Over the session's environment. Default: nothing. */
  readonly env?: Readonly<Record<string, string>>
  /** Milliseconds until the command is ended. Default 120,000. */
  readonly timeoutMs?: number
}

export interface ExecResult {
  /** Null if a signal ended it. */
  readonly code: number | null
  /** The first 1 Mi characters. */
  readonly stdout: string
  readonly stderr: string
  readonly timedOut: boolean
}

/** Each part of the api is there in every session; what it registers ends with `scope`. */
export interface ExtensionApi<Config = unknown> {
  readonly session: ExtensionSession
  readonly tools: {
    /**
     * Adds an active tool. Its capability must be one of the manifest's.
     * @throws Failure `bad_request` if the name is taken, unless it is a built-in tool that the manifest's `replaces` names
     */
    register(tool: AnyTool): Registration
    /** The names of the tools of the next request. */
    active(): readonly string[]
    /** Every tool that can become active. */
    all(): readonly AnyTool[]
  }
  readonly commands: {
    /** @throws Failure `bad_request` for a name that is not valid or taken by another extension */
    register(command: ExtensionCommand): Registration
  }
  readonly skills: {
    /**
     * Adds a folder of skills, or one SKILL.md, by an absolute path. A name of the user, the project or a package stays theirs. Needs
     * the capability `read`. @throws Failure `bad_request` if nothing is there
     */
    register(path: string): Registration
  }
  readonly templates: {
    /** Adds a prompt template, or a folder of them, as `skills.register` does. */
    register(path: string): Registration
  }
  readonly hooks: {
    on<Name extends HookName>(name: Name, hook: ExtensionHook<Name>, options?: HookOptions): Registration
  }
  readonly context: {
    /** Changes the context of each request, as `transformContext` does: piped by priority. */
    transform(transform: ContextTransform, options?: PriorityOption): Registration
    /** Changes the sections of the system prompt: `promptSection('rules', …)` of `rxpi/operators`. Call it in `setup`. */
    sections(transform: PromptTransform, options?: PriorityOption): Registration
  }
  readonly events: {
    /** The session's events after they are recorded, whole. Ends with the scope. */
    readonly event$: Observable<AgentEvent>
    /**
     * Records the `custom` events of the stream. `project` gets the events without the custom ones of this extension. Anything
     * else that it emits is a fault.
     */
    derive(project: (event$: Observable<AgentEvent>) => ObservableInput<EventNamed<'custom'>>): Registration
  }
  readonly ui: ExtensionUiApi
  readonly stopRules: {
    add(rule: StopRule): Registration
  }
  readonly policy: {
    /** Blocks calls or lets them ask, after all hooks, on the final arguments. It can never allow what the policy refuses. */
    tighten(
      decide: (input: ToolCallHookInput) => HookAnswer<Pick<BeforeToolCallAnswer, 'block' | 'ask'>>,
      options?: HookOptions,
    ): Registration
  }
  readonly models: ExtensionModelsApi
  /** Runs a program without a shell. Needs the capability `exec`. Emits once; unsubscribing ends it and its processes. */
  exec(program: string, args?: readonly string[], options?: ExecOptions): Observable<ExecResult>
  /** `extensions.NAME` of the settings by the manifest's schema, defaults filled in. */
  readonly config$: Behavior<Config>
  /** Ends when the extension is unloaded or the session is closed. */
  readonly scope: Pick<Scope, 'ended' | 'end$' | 'bind' | 'onEnd'>
}
