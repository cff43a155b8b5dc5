// Chooses a session's model from command, log and settings, or from what is available.
import { catchError, defer, map, of, switchMap, tap, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import { chooseModel, demoModel } from '../../providers/index.ts'
import { catalogueFile } from '../../providers/catalogue/catalogue-file.ts'
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
import { pathRoles } from '../../session/roles/path-roles.ts'
import { namedChoice, roleChoice } from '../../session/roles/role-choice.ts'
import type { ModelChoiceByName } from '../../session/roles/role-choice.ts'
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

/**
 * Source of the model: the command, the session's log, a layer of the settings, those of the folder, or the order of
 * automatic choices.
 */
export type ModelSource = 'command' | 'session' | 'environment' | 'project' | 'folder' | 'settings' | 'automatic'

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
  configuration: UserConfiguration,
  logged: string | undefined,
): Observable<ConfiguredModel> {
  return defer(() => {
    const { settings, project, startEnv } = configuration
    const outer = sourceOf(model, logged, { ...startEnv, ...env }, { settings, project })
    const isOfVariable = outer === 'environment'
    // a variable precedes every setting of a file
    const counted = isOfVariable ? { ...settings, models: undefined } : settings
    return pathRoles({ models: counted.models, cwd, homeFolder: env['HOME'] }).pipe(
      switchMap(({ folder }) => {
        const named = model ?? logged ?? (isOfVariable ? settings.model : undefined)
        const { choice, undefinedRole } = namedChoice(named, settings, folder)
        const { name, thinkingLevel } = choice
        const isOfFolder = named === undefined && choice.setting?.startsWith('models.paths') === true
        const source = isOfFolder ? 'folder' : outer
        const role = choice.role ?? roleOf(name, source, roleChoice('default', counted, folder))
        return searchModel(choice, { cwd, env }, configuration).pipe(
          catchError((error: unknown) => throwError(() => withSetting(Failure.from(error), choice, source))),
          map((found) => ({
            ...found,
            source,
            ...(role === undefined ? {} : { role }),
            ...(thinkingLevel === undefined ? {} : { thinkingLevel }),
            notices: [...roleNotices(choice, source, undefinedRole), ...found.notices],
          })),
        )
      }),
    )
  })
}

/** Emits the model of a choice once; fails as `chooseModel` does. */
export function searchModel(
  { name, fallbacks: ownFallbacks }: ModelChoiceByName,
  { cwd, env }: Required<Pick<ModelCommand, 'cwd' | 'env'>>,
  { settings, models, authStorage, home, startEnv, fetch }: UserConfiguration,
): Observable<InitialModel & { readonly notices: readonly Notice[] }> {
  const last = name !== undefined ? undefined : lastModel(home)
  return chooseModel({
    ...{ env, startEnv, models, authStorage, cwd, ownFallbacks, fallbacks: settings.fallbacks ?? [] },
    ...{ localMs: localMsOf(settings), catalogueFile: catalogueFile(home) },
    ...(fetch === undefined ? {} : { fetch }),
    ...(name === undefined ? {} : { name }),
    ...(last === undefined ? {} : { last }),
  })
}

/** A session whose log has the usual model is one of the role `default`. */
function roleOf(
  name: string | undefined,
  source: ModelSource,
  usual: ModelChoiceByName | undefined,
): ModelChoiceByName['role'] {
  if (source === 'automatic') return 'default'
  return source === 'session' && name !== undefined && name === usual?.name ? 'default' : undefined
}

/** The setting of a role, and not the command, is what has to be changed. */
function withSetting(failure: Failure, { setting, name = '' }: ModelChoiceByName, source: ModelSource): Failure {
  const isOfRole = setting !== undefined && (source === 'command' || source === 'folder')
  if (!isOfRole || failure.code === 'internal') return failure
  const message = `${setting} of settings.json names ${name}, which cannot be used: ${failure.message}`
  return new Failure(failure.code, message, { cause: failure, data: { ...failure.data, setting, model: name } })
}

function roleNotices({ name, setting = '' }: ModelChoiceByName, source: ModelSource, undefinedRole?: string): Notice[] {
  if (undefinedRole !== undefined) return [{ code: 'role_undefined', message: undefinedRole }]
  if (source !== 'folder') return []
  return [{ code: 'model_for_folder', message: `The model of this folder is ${name ?? ''} (${setting})` }]
}

/** The model that the settings name for sessions. */
function usualName(settings: Configuration['settings']): string | undefined {
  return roleChoice('default', settings)?.name
}

function sourceOf(
  model: string | undefined,
  logged: string | undefined,
  env: Readonly<Record<string, string>>,
  { settings, project }: Pick<Configuration, 'settings'> & { readonly project?: Configuration['project'] | undefined },
): ModelSource {
  if (model !== undefined) return 'command'
  if (logged !== undefined) return 'session'
  if (env['RXPI_MODEL'] && settings.model !== undefined) return 'environment'
  if (usualName(settings) === undefined) return 'automatic'
  return project === undefined || usualName(project.settings) === undefined ? 'settings' : 'project'
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
      const { model: ofFolder } = failure.data
      const isOfFolder = typeof ofFolder === 'string'
      const name = isOfFolder ? ofFolder : (logged ?? usualName(settings))
      const unusable = toNoModel(failure, isOfFolder ? undefined : name, sourceWords[source])
      if (source === 'automatic' && unusable.data['reasons'] !== undefined && mayUseDemo(command, home))
        return configuredModel({ ...command, model: modelName(demoModel) }, configuration, undefined)
      if (requireModel) return throwError(() => withWarnings(unusable, warnings))
      const notices = [{ code: unusable.code, message: unusable.message }]
      return of({ ...standInModel(unusable, name), notices, source })
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
  folder: 'of models.paths in settings.json',
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
