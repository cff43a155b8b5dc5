// Declares the options of `createSession`.
import type { Observable } from 'rxjs'
import type { McpEntry } from '../../streams/config/mcp-servers.ts'
import type { ModelsFile, Settings } from '../../streams/config/settings.ts'
import type { ExtensionDefinition } from '../../extensions/index.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { SessionHeader } from '../../streams/log/log-line.ts'
import type { ThinkingLevel } from '../../streams/models/model.ts'
import type { AuthStorage, GetApiKey } from '../../streams/ports/auth-storage.ts'
import type { PromptCommands } from '../../streams/ports/prompt-commands.ts'
import type { PromptTransform } from '../../streams/ports/prompt-sections.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import type { LogWriter, SessionLog, SessionStore } from '../../streams/ports/session-log.ts'
import type { Snapshots } from '../../streams/ports/snapshots.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'
import type { Scenarios } from '../../streams/ports/scenarios.ts'
import type { SessionOptions } from '../contract/session-parts.ts'

/** Emits the model of this name once, synchronously for the model a session begins with; fails with a Failure. */
export interface ModelRegistry {
  resolve(name: string): Observable<ProviderModel>
}

/** The options of `createSession` and `createAgent`; each has a default (docs/library.md). */
export interface CreateSessionOptions extends Omit<SessionOptions, 'snapshots' | 'commands' | 'scenarios'> {
  /** `provider/id` from the catalogue, or a model with a Provider of your own. Default: the model of `settings`, of `models` or of the environment. */
  readonly model?: string | ProviderModel
  /** The folder of the tools. Default `process.cwd()`. */
  readonly cwd?: string
  /** The environment of child processes, and a source of keys. Default `process.env`. */
  readonly env?: Readonly<Record<string, string>>
  /** The active tools: built-in ones by name, others themselves. Default: read, write, edit, bash, grep, find, todo, ask, job_output and job_kill, and `customTools`. */
  readonly tools?: readonly (AnyTool | string)[]
  /** Registered beside the built-in tools; one of the same name replaces the built-in tool. */
  readonly customTools?: readonly AnyTool[]
  readonly thinkingLevel?: ThinkingLevel
  /** Replaces the whole system prompt. */
  readonly system?: string
  /** Added at the end of the system prompt. */
  readonly appendSystem?: string
  /** Reads `AGENTS.md` and its like of the folder and those above it. Default: with `settings: true`. */
  readonly instructions?: boolean
  /**
   * Skills and prompt templates: `true` reads those of the user, `createPromptCommands` those of other folders. Default: with
   * `settings: true`.
   */
  readonly commands?: PromptCommands | boolean
  /**
   * Phases that `set_scenario_phase` can enter, if the session has a `policy`, which enforces them: `true` reads those of the
   * user, and of the project if a person trusts it. Default: with `settings: true` and a policy.
   */
  readonly scenarios?: Scenarios | boolean
  /**
   * The project's own settings, `SYSTEM.md`, skills, templates and scenarios, beside what `settings: true`, `commands: true` and
   * `scenarios: true` read: `'trusted'` if a person trusts its folder; `true` as they are when the session opens, because the
   * program trusts them; `false` never. Default: scenarios if a person trusts it; a `warning` names other files.
   */
  readonly project?: 'trusted' | boolean
  /**
   * Extensions that the program has defined or loaded: set up before the session opens, ended with it. They are the program's own,
   * so nobody is asked about them. Default: none.
   */
  readonly extensions?: readonly ExtensionDefinition[]
  /**
   * MCP servers by name, in the form of the user's settings; values are taken as they are. They start with the session and end
   * with it; the first request waits until each has answered or failed. Default: none.
   */
  readonly mcpServers?: Readonly<Record<string, McpEntry>>
  /** Changes the sections of the system prompt: `promptSection('rules', …)` of `rxpi/operators`, or several in a pipe. */
  readonly promptSections?: PromptTransform
  /** The store of the log. Default: memory; `fileStore({home})` of `rxpi/store` writes files. */
  readonly store?: SessionStore
  /**
   * Takes the events in place of the log of `store`; its `append` may take time: `(log) => writeAhead(log, save)` of `rxpi/store`
   * saves each line in a database that answers later. Default: the log.
   */
  readonly writer?: (log: SessionLog) => LogWriter
  /** Continues this session of `store`. Default: a new one. */
  readonly sessionId?: string
  /** Makes the new session a child of another's entry. */
  readonly parent?: NonNullable<SessionHeader['parent']>
  /** Default: none; `true` reads the user's `settings.json` and `models.json`. */
  readonly settings?: Settings | true
  /** The folder that `settings: true` reads. Default: the user's own. */
  readonly configDir?: string
  /** Finds models by name: for `model`, and for `set_model`. Default: the catalogue, `models` and the environment. */
  readonly modelRegistry?: ModelRegistry
  /** Keys that are stored. Default: none, or the user's own with `settings: true`. */
  readonly authStorage?: AuthStorage
  /** The first source of each request's key, called with the provider's name. Default: none. */
  readonly getApiKey?: GetApiKey
  /** Custom endpoints. Default: none, or the user's `models.json` with `settings: true`. */
  readonly models?: ModelsFile
  /**
   * Stores the files before a run changes them, for `undo`: under `$RXPI_HOME`, or through a port of your own. Default:
   * false.
   */
  readonly snapshots?: boolean | Snapshots
  /** Aborts the run that is on when it aborts. */
  readonly signal?: AbortSignal
  /** Called with each event, in order: see `Session.listen`. */
  readonly onEvent?: (event: AgentEvent) => void
}
