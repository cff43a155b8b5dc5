// Chooses a session's model from command, log and settings, or from what is available.
import { EMPTY, catchError, concat, defer, of, switchMap } from 'rxjs'
import type { Observable } from 'rxjs'
import { chooseModel } from '../../providers/index.ts'
import { keepLastModel, lastModel, loadConfiguration } from '../../store/index.ts'
import type { Configuration } from '../../store/index.ts'
import type { AuthStorage } from '../../streams/ports/auth-storage.ts'
import type { CommandNamed } from '../../streams/commands/command.ts'
import { modelName } from '../../streams/models/model.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import type { Notice } from '../contract/server-backend.ts'
import type { rxpiPaths } from '../../host/files/paths.ts'

/** The user's files and keys. */
export interface UserConfiguration extends Configuration {
  readonly authStorage: AuthStorage
  /** `$RXPI_HOME`. */
  readonly home: string
  /** False: the chosen model is not stored as the last choice. Default true. */
  readonly keepsChoice?: boolean
  /** The environment with which a person started the server; for providers alone. Default: none. */
  readonly startEnv?: Readonly<Record<string, string>> | undefined
  /** Sends the requests to models. Default: `httpFetch`. */
  readonly fetch?: typeof globalThis.fetch
}

export interface ConfiguredModel extends ProviderModel {
  readonly notices: readonly Notice[]
}

/** Milliseconds that local endpoints have to list their models. */
export function localMsOf({ localModels }: Configuration['settings']): number {
  return localModels?.withinMs ?? 300
}

/**
 * Emits the model once and completes; see `chooseModel`. A model that the command names becomes the last choice.
 * @param logged the model of the session's log
 */
export function configuredModel(
  { model, cwd, env = {} }: Pick<CommandNamed<'new_session'>, 'model' | 'cwd' | 'env'>,
  { settings, models, authStorage, home, startEnv, fetch, keepsChoice = true }: UserConfiguration,
  logged: string | undefined,
): Observable<ConfiguredModel> {
  return defer(() => {
    const name = model ?? logged ?? settings.model
    const { fallbacks = [] } = settings
    const last = name !== undefined ? undefined : lastModel(home)
    const localMs = localMsOf(settings)
    const found$ = chooseModel({
      ...{ env, startEnv, models, authStorage, cwd, fallbacks, localMs },
      ...(fetch === undefined ? {} : { fetch }),
      ...(name === undefined ? {} : { name }),
      ...(last === undefined ? {} : { last }),
    })
    if (model === undefined || !keepsChoice) return found$
    return found$.pipe(switchMap((found) => concat(storeLastModel(found, home), of(found))))
  })
}

/** Models for trials do not become the last choice. */
const trialProviders: ReadonlySet<string> = new Set(['demo', 'scripted', 'replay'])

/** Completes also if the choice cannot be stored: only the choice is lost. */
function storeLastModel({ model }: ProviderModel, home: string): Observable<never> {
  if (trialProviders.has(model.provider)) return EMPTY
  return keepLastModel(home, modelName(model)).pipe(catchError(() => EMPTY))
}

/** Reads the user's files anew for each client, under the client's environment. @throws Failure `bad_config` in the call */
export function userConfigurations(
  { home, config }: ReturnType<typeof rxpiPaths>,
  authStorage: AuthStorage,
  fetch: typeof globalThis.fetch,
  startEnv?: UserConfiguration['startEnv'],
): (env: Readonly<Record<string, string>>) => UserConfiguration {
  const ofStart = modelSettings(startEnv)
  return (env) => ({
    ...loadConfiguration({ env: { ...ofStart, ...env }, configFolder: config }),
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
