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

/** The user's files, with where his keys are. */
export interface UserConfiguration extends Configuration {
  readonly authStorage: AuthStorage
  /** `$RXPI_HOME`. */
  readonly home: string
  /** False: what is chosen is not kept for later. Default true. */
  readonly keepsChoice?: boolean
  /** Sends the requests to models. Default: `httpFetch`. */
  readonly fetch?: typeof globalThis.fetch
}

export interface ConfiguredModel extends ProviderModel {
  readonly notices: readonly Notice[]
}

/** Milliseconds that endpoints on this machine have to say what they serve. */
export function localMsOf({ localModels }: Configuration['settings']): number {
  return localModels?.withinMs ?? 300
}

/**
 * Emits it once, and completes; see `chooseModel`. What the command names is remembered as chosen.
 * @param logged what the session was left with
 */
export function configuredModel(
  { model, cwd, env = {} }: Pick<CommandNamed<'new_session'>, 'model' | 'cwd' | 'env'>,
  { settings, models, authStorage, home, fetch, keepsChoice = true }: UserConfiguration,
  logged: string | undefined,
): Observable<ConfiguredModel> {
  return defer(() => {
    const name = model ?? logged ?? settings.model
    const { fallbacks = [] } = settings
    const last = name !== undefined ? undefined : lastModel(home)
    const localMs = localMsOf(settings)
    const found$ = chooseModel({
      ...{ env, models, authStorage, cwd, fallbacks, localMs },
      ...(fetch === undefined ? {} : { fetch }),
      ...(name === undefined ? {} : { name }),
      ...(last === undefined ? {} : { last }),
    })
    if (model === undefined || !keepsChoice) return found$
    return found$.pipe(switchMap((found) => concat(remembered(found, home), of(found))))
  })
}

/** Models for trying things out are nobody's choice for later. */
const passing: ReadonlySet<string> = new Set(['demo', 'scripted', 'replay'])

/** Completes also if it cannot be kept: a session that can be stored says so by itself, and a choice is lost, no more. */
function remembered({ model }: ProviderModel, home: string): Observable<never> {
  if (passing.has(model.provider)) return EMPTY
  return keepLastModel(home, modelName(model)).pipe(catchError(() => EMPTY))
}

// What the user's files say is read anew for each client, with that client's environment on top.

/** The files of this user, for a client with the given environment. @throws Failure `bad_config` in the call */
export function userConfigurations(
  { home, config }: ReturnType<typeof rxpiPaths>,
  authStorage: AuthStorage,
  fetch: typeof globalThis.fetch,
): (env: Readonly<Record<string, string>>) => UserConfiguration {
  return (env) => ({ ...loadConfiguration({ env, configFolder: config }), authStorage, home, fetch })
}
