// Creates a session from plain options; without a store it writes nothing.
import { EMPTY, catchError, defer, map, mergeMap } from 'rxjs'
import type { Observable } from 'rxjs'
import { systemPrompt } from '../../context/index.ts'
import { endOrphans } from '../../host/process/end-orphans.ts'
import { rxpiPaths } from '../../host/files/paths.ts'
import { resolveModel } from '../../providers/index.ts'
import type { ResolveModelOptions } from '../../providers/index.ts'
import { fileAuthStorage, fileSnapshots, loadConfiguration, memoryStore } from '../../store/index.ts'
import type { Configuration } from '../../store/index.ts'
import { compileSchema } from '../../streams/schema/compile-schema.ts'
import { fromSignal } from '../../streams/rx/from-signal.ts'
import { randomIds } from '../../streams/values/identifiers.ts'
import type { AuthStorage } from '../../streams/ports/auth-storage.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { GetApiKey } from '../../streams/ports/auth-storage.ts'
import type { SessionHeader } from '../../streams/log/log-line.ts'
import { namedLocks } from '../../streams/rx/named-locks.ts'
import { scope } from '../../streams/rx/scope.ts'
import type { Scope } from '../../streams/rx/scope.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import type { OpenedLog, SessionStore } from '../../streams/ports/session-log.ts'
import type { ModelsFile, Settings } from '../../streams/config/settings.ts'
import type { Snapshots } from '../../streams/ports/snapshots.ts'
import type { ThinkingLevel } from '../../streams/models/model.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'
import { builtInTools } from '../../tools/index.ts'
import { defaultActiveTools } from '../runs/active-tools.ts'
import { chooseTools } from '../runs/active-tools.ts'
import { copyBranchOnce } from './copy-branch.ts'
import { openSession } from './open-session.ts'
import { replayLog } from '../recovery/replay-log.ts'
import type { SessionOptions, SessionParts } from '../contract/session-parts.ts'
import type { Session } from '../contract/session.ts'
import { settingsOptions } from '../contract/session-parts.ts'
import { initialModel } from './initial-model.ts'
import { guardedParts, sessionSecrets } from './session-secrets.ts'

/** Emits the model of this name once, synchronously for the model a session begins with; fails with a Failure. */
export interface ModelRegistry {
  resolve(name: string): Observable<ProviderModel>
}

export interface CreateSessionOptions extends Omit<SessionOptions, 'snapshots'> {
  /** `provider/id` from the catalogue, or a model with a Provider of your own. Default: the model of `settings`, of `models` or of the environment. */
  readonly model?: string | ProviderModel
  /** The folder of the tools. Default `process.cwd()`. */
  readonly cwd?: string
  /** The environment of child processes, and a source of keys. Default `process.env`. */
  readonly env?: Readonly<Record<string, string>>
  /** The active tools: built-in ones by name, others themselves. Default: read, write, edit and bash, and `customTools`. */
  readonly tools?: readonly (AnyTool | string)[]
  /** Registered beside the built-in tools; one of the same name replaces the built-in tool. */
  readonly customTools?: readonly AnyTool[]
  readonly thinkingLevel?: ThinkingLevel
  /** Replaces the system prompt. */
  readonly system?: string
  /** The store of the log. Default: memory; `fileStore({home})` of `rxpi/store` writes files. */
  readonly store?: SessionStore
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

/**
 * Creates or (with `sessionId`) opens a session. `session.send({type: 'prompt', text})` starts a run, `session.events$` is
 * live, `session.close()` leaves nothing behind.
 * Without a usable model the session can be read, and prompts fail with `no_model`.
 * @throws Failure `bad_request` or `bad_config` for a model, tool or session that is not there
 */
export function createSession(options: CreateSessionOptions = {}): Session {
  const { cwd = process.cwd(), env = definedEnvironment() } = options
  const configuration = readConfiguration(options, env)
  const opened = openLog(options, cwd)
  try {
    return openOnLog(opened, { ...options, cwd, env }, configuration)
  } catch (thrown) {
    opened.log.close().subscribe({ error: () => undefined }) // releases the lock; the first failure is thrown
    throw thrown
  }
}

/** The sessions of one program share the locks of files. */
const processLocks = namedLocks()

type CompleteOptions = CreateSessionOptions & Required<Pick<CreateSessionOptions, 'cwd' | 'env'>>

function openOnLog(
  { log, warnings }: OpenedLog,
  options: CompleteOptions,
  { settings, ...sources }: UserConfiguration,
): Session {
  const { cwd, env, onEvent, signal } = options
  const { snapshots: _, ...own } = options
  const initial = replayLog(log)
  const findModel$ = modelFinder(options, { env, ...sources, cwd, fallbacks: settings.fallbacks ?? [] })
  const { unusable, ...chosen } = initialModel(findModel$, { options, initial, settings })
  const { registry, tools } = selectTools(options, initial.activeTools, settings.tools)
  const thinkingLevel = options.thinkingLevel ?? initial.thinkingLevel ?? settings.thinkingLevel ?? 'off'
  const systemFor = (active: readonly AnyTool[]): string =>
    options.system ?? systemPrompt({ cwd, tools: active, platform: process.platform, date: new Date() })
  const defaults = settingsOptions(settings, initial)
  const request = { ...chosen, tools, thinkingLevel, system: systemFor(tools) }
  const life = scope()
  const session = openSession({
    log,
    warnings,
    initial,
    settings: () => request,
    registry,
    systemFor,
    resolveModel: findModel$,
    ...(unusable === undefined ? {} : { unusable, chooseModel: () => findModel$(initial.model) }),
    ...copyBranchPart(options.store),
    ...guardedParts(sessionSecrets({ env, settings, models: sources.models }), {
      cwd,
      locks: processLocks,
      sessionId: log.header.id,
      home: homeOf(options),
    }),
    endOrphans,
    scope: life,
    options: {
      validatorOf: ({ validate, parameters }) => validate ?? compileSchema(parameters),
      ...defaults,
      ...own,
      queueModes: { ...defaults.queueModes, ...own.queueModes },
      ...snapshotsPart(options),
    },
  })
  if (onEvent !== undefined) session.listen(onEvent)
  abortWith(signal, session, life)
  return session
}

/** Aborts the run that is on when the signal aborts. */
function abortWith(signal: AbortSignal | undefined, session: Session, life: Scope): void {
  fromSignal(signal)
    .pipe(
      mergeMap(() => session.send({ type: 'abort' })),
      catchError(() => EMPTY), // a log that takes no lines ends the run by itself
      life.bind(),
    )
    .subscribe()
}

type ModelSources = Omit<ResolveModelOptions, 'name' | 'fetch'>

function modelFinder({ modelRegistry }: CreateSessionOptions, sources: ModelSources) {
  return (name: string | undefined): Observable<ProviderModel> =>
    name !== undefined && modelRegistry !== undefined
      ? defer(() => modelRegistry.resolve(name))
      : resolveModel({ ...sources, ...(name === undefined ? {} : { name }) }).pipe(
          map(({ notices, ...found }) => found),
        )
}

/** Without a store, no caller could open the copy. */
function copyBranchPart(store: SessionStore | undefined): Pick<SessionParts, 'copyBranch'> {
  return store === undefined ? {} : { copyBranch: (branch) => copyBranchOnce({ ...branch, store }) }
}

function snapshotsPart({ snapshots = false, env }: CompleteOptions): { readonly snapshots?: Snapshots } {
  if (typeof snapshots === 'object') return { snapshots }
  return snapshots ? { snapshots: fileSnapshots({ home: rxpiPaths(env).home, env }) } : {}
}

/** The registry: the tools of the options, then the built-in tools of other names. */
function selectTools(
  options: CreateSessionOptions,
  logged: readonly string[] | undefined,
  configured: readonly string[] | undefined,
): { readonly registry: readonly AnyTool[]; readonly tools: readonly AnyTool[] } {
  const { tools: requestedTools, customTools = [] } = options
  const own = [...(requestedTools ?? []).filter((tool) => typeof tool === 'object'), ...customTools]
  const names = new Set(own.map(({ name }) => name))
  const home = homeOf(options)
  const homeOption = home === undefined ? {} : { home }
  const registry = [...own, ...builtInTools(homeOption).filter(({ name }) => !names.has(name))]
  const requested = requestedTools?.map((tool) => (typeof tool === 'string' ? tool : tool.name))
  const usual = [...(configured ?? defaultActiveTools), ...customTools.map(({ name }) => name)]
  return { registry, tools: chooseTools({ registry, requested, logged, configured: usual }).tools }
}

/** Without a store nothing is written, not even a command's full output. */
function homeOf({ store, env = definedEnvironment() }: CreateSessionOptions): string | undefined {
  return store === undefined ? undefined : rxpiPaths(env).home
}

function openLog({ store = memoryStore(), sessionId, parent }: CreateSessionOptions, cwd: string): OpenedLog {
  if (sessionId !== undefined) return store.open(sessionId)
  const header = { id: randomIds().session(), createdAt: Date.now(), cwd }
  return { log: store.create(parent === undefined ? header : { ...header, parent }), warnings: [] }
}

type UserConfiguration = Pick<Configuration, 'settings' | 'models'> & Pick<ModelSources, 'authStorage' | 'getApiKey'>

function readConfiguration(
  { settings = {}, models = { providers: {} }, configDir, authStorage, getApiKey }: CreateSessionOptions,
  env: Readonly<Record<string, string>>,
): UserConfiguration {
  const keyOptions = {
    ...(authStorage === undefined ? {} : { authStorage }),
    ...(getApiKey === undefined ? {} : { getApiKey }),
  }
  if (settings !== true) return { settings, models, ...keyOptions }
  const read = loadConfiguration({ env, ...(configDir === undefined ? {} : { configFolder: configDir }) })
  return { settings: read.settings, models: read.models, authStorage: userKeys(env), ...keyOptions }
}

/** The keychain is loaded when a key of it is needed. */
function userKeys(env: Readonly<Record<string, string>>): AuthStorage {
  return fileAuthStorage({ home: rxpiPaths(env).home })
}

function definedEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}
