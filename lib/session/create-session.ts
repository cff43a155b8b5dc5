// The library's way to a session: plain options in, a session that acts at once out; nothing is written unless a store is given.
import { EMPTY, catchError, defer, mergeMap } from 'rxjs'
import { systemPrompt } from '../context/index.ts'
import { rxpiPaths } from '../host/paths.ts'
import { resolveModel } from '../providers/index.ts'
import type { ResolvedModel } from '../providers/index.ts'
import { loadConfiguration, memoryStore } from '../store/index.ts'
import { compileSchema } from '../streams/compile-schema.ts'
import { Failure } from '../streams/failure.ts'
import { fromSignal } from '../streams/from-signal.ts'
import { randomIds } from '../streams/ids.ts'
import type { AgentEvent } from '../streams/event.ts'
import type { SessionHeader } from '../streams/log-line.ts'
import { scope } from '../streams/scope.ts'
import type { ProviderModel } from '../streams/provider.ts'
import type { SessionLog, SessionStore } from '../streams/session-log.ts'
import type { ModelsFile, Settings } from '../streams/settings.ts'
import type { ThinkingLevel } from '../streams/thinking-level.ts'
import type { AnyTool } from '../streams/tool.ts'
import { builtInTools } from '../tools/index.ts'
import { activeTools } from './active-tools.ts'
import { openSession } from './open-session.ts'
import { replayLog } from './replay-log.ts'
import type { SessionOptions } from './session-parts.ts'
import type { Session } from './session.ts'

export interface CreateSessionOptions extends SessionOptions {
  /** `provider/id` from the catalogue, or a model with a Provider of your own. Default: what `settings` or the environment name, else the demo model. */
  readonly model?: string | ProviderModel
  /** Where tools work. Default `process.cwd()`. */
  readonly cwd?: string
  /** What child processes get, and where keys are looked for. Default `process.env`. */
  readonly env?: Readonly<Record<string, string>>
  /** The active tools. Default: read, write, edit and bash. */
  readonly tools?: readonly AnyTool[]
  readonly thinkingLevel?: ThinkingLevel
  /** Replaces the system prompt. */
  readonly system?: string
  /** Where the log goes. Default: memory; `fileStore({home})` of `rxpi/store` keeps it. */
  readonly store?: SessionStore
  /** Continues this session of `store`. Default: a new one. */
  readonly sessionId?: string
  /** Makes the new session a child of another's entry. */
  readonly parent?: NonNullable<SessionHeader['parent']>
  /** Default: none; `true` reads the user's `settings.json` and `models.json`. */
  readonly settings?: Settings | true
  /** Custom endpoints. Default: none, or the user's `models.json` with `settings: true`. */
  readonly models?: ModelsFile
  /** Aborts the run that is on when it aborts. */
  readonly signal?: AbortSignal
  /** Called with each event, in order. A throw is reported as a process warning and hurts nobody else. */
  readonly onEvent?: (event: AgentEvent) => void
}

/**
 * Creates or (with `sessionId`) opens a session. `session.send({type: 'prompt', text})` starts a run, `session.events$` is
 * live, `session.close()` leaves nothing behind.
 * @throws Failure `bad_request` or `bad_config` for a model, tool or session that is not there
 */
export function createSession(options: CreateSessionOptions = {}): Session {
  const { cwd = process.cwd(), env = definedEnvironment(), onEvent, signal } = options
  const { settings, models } = configurationOf(options, env)
  const log = openLog(options, cwd)
  const initial = replayLog(log)
  const name = typeof options.model === 'string' ? options.model : (initial.model ?? settings.model)
  const chosen = typeof options.model === 'object' ? options.model : resolvedNow({ env, models, cwd, ...named(name) })
  // without a store nothing is written, a command's full output neither
  const kept = options.store === undefined ? {} : { home: rxpiPaths(env).home }
  const tools = options.tools ?? activeTools(builtInTools(kept), settings.tools)
  const thinkingLevel = options.thinkingLevel ?? settings.thinkingLevel ?? 'off'
  const system = options.system ?? systemPrompt({ cwd, tools, platform: process.platform, date: new Date() })
  const request = { ...chosen, tools, thinkingLevel, system }
  const life = scope()
  const session = openSession({
    log,
    initial,
    settings: () => request,
    tools: { cwd, env },
    scope: life,
    options: { validatorOf: ({ validate, parameters }) => validate ?? compileSchema(parameters), ...options },
  })
  if (onEvent !== undefined) session.events$.subscribe(reporting(onEvent))
  fromSignal(signal)
    .pipe(
      mergeMap(() => session.send({ type: 'abort' })),
      catchError(() => EMPTY), // a log that takes nothing ends the run by itself, and says so
      life.bind(),
    )
    .subscribe()
  return session
}

function named(name: string | undefined): { name?: string } {
  return name === undefined ? {} : { name }
}

function openLog({ store = memoryStore(), sessionId, parent }: CreateSessionOptions, cwd: string): SessionLog {
  if (sessionId !== undefined) return store.open(sessionId).log
  const header = { id: randomIds().session(), createdAt: Date.now(), cwd }
  return store.create(parent === undefined ? header : { ...header, parent })
}

function configurationOf(
  { settings = {}, models = { providers: {} } }: CreateSessionOptions,
  env: Readonly<Record<string, string>>,
): { readonly settings: Settings; readonly models: ModelsFile } {
  return settings === true ? loadConfiguration({ env }) : { settings, models }
}

/** Names are resolved without a request, in the same call. */
function resolvedNow(options: Parameters<typeof resolveModel>[0]): ProviderModel {
  let found: ResolvedModel | undefined
  let failure: unknown
  defer(() => resolveModel(options)).subscribe({
    next: (model) => {
      found = model
    },
    error: (error: unknown) => {
      failure = error
    },
  })
  if (found !== undefined) return { model: found.model, provider: found.provider }
  throw Failure.from(failure ?? new Failure('internal', 'The model could not be resolved at once'))
}

function reporting(onEvent: (event: AgentEvent) => void): (event: AgentEvent) => void {
  return (event) => {
    try {
      onEvent(event)
    } catch (error) {
      process.emitWarning(`onEvent failed at ${event.type}: ${Failure.from(error).message}`, 'RxpiWarning')
    }
  }
}

function definedEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}
