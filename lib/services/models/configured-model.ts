// Chooses a session's model from command, log and settings, or from what is available.
import { catchError, defer, map, of, tap, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import { chooseModel, demoModel } from '../../providers/index.ts'
import { hadUsableModel, lastModel, loadConfiguration, storeUsableModel } from '../../store/index.ts'
import type { Configuration, FolderTrust } from '../../store/index.ts'
import type { AuthStorage } from '../../streams/ports/auth-storage.ts'
import { Failure } from '../../streams/values/failure.ts'
import { standInModel, toNoModel } from '../../session/create/initial-model.ts'
import type { InitialModel } from '../../session/create/initial-model.ts'
import type { CommandNamed } from '../../streams/commands/command.ts'
import { modelName } from '../../streams/models/model.ts'
import { joinSentences } from '../../streams/values/sentences.ts'
import type { Notice } from '../contract/server-backend.ts'
import { projectSource } from '../../session/create/project-trust.ts'
import { trialProviders } from '../../streams/models/trial-providers.ts'
import type { rxpiPaths } from '../../host/files/paths.ts'

/** The user's files and keys. */
export interface UserConfiguration extends Configuration {
  readonly authStorage: AuthStorage
  /** `$RXPI_HOME`. */
  readonly home: string
  /** False: nothing about the model is stored. Default true. */
  readonly keepsChoice?: boolean
  /** The environment with which a person started the server; for providers alone. Default: none. */
  readonly startEnv?: Readonly<Record<string, string>> | undefined
  /** Sends the requests to models. Default: `httpFetch`. */
  readonly fetch?: typeof globalThis.fetch
}

/** What named the model: the command, the session's log, a layer of the settings, or the order of automatic choices. */
export type ModelSource = 'command' | 'session' | 'environment' | 'project' | 'settings' | 'automatic'

export interface ConfiguredModel extends InitialModel {
  readonly notices: readonly Notice[]
  readonly source: ModelSource
}

/** Milliseconds that local endpoints have to list their models. */
export function localMsOf({ localModels }: Configuration['settings']): number {
  return localModels?.withinMs ?? 300
}

type ModelCommand = Pick<CommandNamed<'new_session'>, 'model' | 'cwd' | 'env' | 'requireModel' | 'offerDemo'>

/**
 * Emits the model once and completes; fails as `chooseModel` does. Stores nothing.
 * @param logged the model of the session's log
 */
export function configuredModel(
  { model, cwd, env = {} }: ModelCommand,
  { settings, project, models, authStorage, home, startEnv, fetch }: UserConfiguration,
  logged: string | undefined,
): Observable<ConfiguredModel> {
  return defer(() => {
    const source = sourceOf(model, logged, { ...startEnv, ...env }, { settings, project })
    const name = model ?? logged ?? settings.model
    const { fallbacks = [] } = settings
    const last = name !== undefined ? undefined : lastModel(home)
    const localMs = localMsOf(settings)
    return chooseModel({
      ...{ env, startEnv, models, authStorage, cwd, fallbacks, localMs },
      ...(fetch === undefined ? {} : { fetch }),
      ...(name === undefined ? {} : { name }),
      ...(last === undefined ? {} : { last }),
    }).pipe(map((found) => ({ ...found, source })))
  })
}

function sourceOf(
  model: string | undefined,
  logged: string | undefined,
  env: Readonly<Record<string, string>>,
  { settings, project }: Pick<Configuration, 'settings'> & { readonly project?: Configuration['project'] | undefined },
): ModelSource {
  if (model !== undefined) return 'command'
  if (logged !== undefined) return 'session'
  if (settings.model === undefined) return 'automatic'
  if (env['RXPI_MODEL']) return 'environment'
  return project?.settings.model === undefined ? 'settings' : 'project'
}

/**
 * Emits the model that a session is opened with. Without a usable one: the demo model if it may answer, else a stand-in
 * with the `no_model` failure, so that the session can be read. Fails for a model that the command names, and with
 * `no_model` if the command requires one.
 */
export function sessionModel(
  command: ModelCommand,
  configuration: UserConfiguration,
  logged: string | undefined,
): Observable<ConfiguredModel> {
  const { settings, home, startEnv, keepsChoice = true, warnings } = configuration
  const { model, env = {}, requireModel = false } = command
  return configuredModel(command, configuration, logged).pipe(
    tap(({ model: { provider } }) => {
      if (keepsChoice && !trialProviders.has(provider)) noteUsableModel(home)
    }),
    catchError((error: unknown) => {
      const failure = Failure.from(error)
      if (model !== undefined || failure.code === 'internal') return throwError(() => withWarnings(failure, warnings))
      const source = sourceOf(model, logged, { ...startEnv, ...env }, configuration)
      const unusable = toNoModel(failure, logged ?? settings.model, sourceWords[source])
      if (source === 'automatic' && unusable.data['reasons'] !== undefined && mayUseDemo(command, home))
        return configuredModel({ ...command, model: modelName(demoModel) }, configuration, undefined)
      if (requireModel) return throwError(() => withWarnings(unusable, warnings))
      const notices = [{ code: unusable.code, message: unusable.message }]
      return of({ ...standInModel(unusable, logged ?? settings.model), notices, source })
    }),
  )
}

/** No session opens, so no notice of it has the warnings of the user's files, which may be the cause. */
function withWarnings(failure: Failure, warnings: Configuration['warnings']): Failure {
  if (warnings.length === 0 || failure.code === 'internal') return failure
  const message = joinSentences([failure.message, ...warnings.map((warning) => warning.message)])
  return new Failure(failure.code, message, { data: failure.data, cause: failure })
}

/** Where a name comes from, for people. */
export const sourceWords: Readonly<Record<ModelSource, string>> = {
  command: 'of the command',
  session: 'of this session',
  environment: 'of RXPI_MODEL',
  project: 'of .rxpi/settings.json in the project',
  settings: 'of settings.json',
  automatic: '',
}

/** `npm start` sets RXPI_DEMO, so that a clone can be tried at once. */
function mayUseDemo({ offerDemo = false, env = {} }: ModelCommand, home: string): boolean {
  return env['RXPI_DEMO'] === '1' || (offerDemo && !hadUsableModel(home))
}

/** A home that takes no files only keeps the demo on offer. */
function noteUsableModel(home: string): void {
  try {
    storeUsableModel(home)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
  }
}

/** Reads the files for a client's environment. */
export type ReadConfiguration = (env: Readonly<Record<string, string>>, trust?: FolderTrust) => UserConfiguration

/**
 * Reads the user's files anew for each client, under the client's environment, with the layer of a trusted project.
 * @throws Failure `bad_config` in the call
 */
export function userConfigurations(
  { home, config }: ReturnType<typeof rxpiPaths>,
  authStorage: AuthStorage,
  fetch: typeof globalThis.fetch,
  startEnv?: UserConfiguration['startEnv'],
): ReadConfiguration {
  const ofStart = modelSettings(startEnv)
  return (env, trust) => ({
    ...loadConfiguration({
      env: { ...ofStart, ...env },
      configFolder: config,
      project: trust === undefined ? undefined : projectSource(trust),
    }),
    ...{ authStorage, home, fetch, startEnv },
  })
}

/** The settings about models that a person started the server with; a client's variables win. */
function modelSettings(startEnv: UserConfiguration['startEnv'] = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(startEnv).filter(([name]) => modelVariables.has(name)))
}

const modelVariables: ReadonlySet<string> = new Set([
  'RXPI_MODEL',
  'RXPI_FALLBACKS',
  'RXPI_THINKING',
  'RXPI_KEY_STORAGE',
  'RXPI_LOCAL_MODELS_MS',
])
