// Lists the models that the user's files and the client's environment make available.
import { defer, endWith, ignoreElements, mergeMap, takeUntil, timer } from 'rxjs'
import { listModels, processKeyMemory, loadWire } from '../../providers/index.ts'
import { localMsOf } from './configured-model.ts'
import type { UserConfiguration } from './configured-model.ts'
import type { ModelsBackend } from '../contract/server-backend.ts'
import type { Session } from '../../session/contract/session.ts'

/** A listing waits this many times longer for a local endpoint than a run does. */
const listingFactor = 3

/** @param configured the user's files, for a client with this environment */
export function createModelsBackend(
  configured: (env: Readonly<Record<string, string>>) => UserConfiguration,
): ModelsBackend {
  return {
    list: ({ cwd, env = {}, ...filter }) =>
      defer(() => {
        const { settings, models, authStorage, startEnv } = configured(env)
        const localMs = localMsOf(settings) * listingFactor
        return listModels({ ...filter, cwd, env, startEnv, models, authStorage, memory: processKeyMemory, localMs })
      }),
  }
}

/** Milliseconds after the opening: a program that prompts at once has loaded its modules by then. */
const preloadDelayMs = 300

/**
 * Loads the modules of the model's API before the first request, while a person types. Loads nothing for a session that
 * is closed before.
 * @param load gets the model's `api`. Default: `loadWire`
 */
export function preloadModel(session: Pick<Session, 'model' | 'events$'>, load = loadWire): void {
  const closed$ = session.events$.pipe(ignoreElements(), endWith(undefined))
  timer(preloadDelayMs)
    .pipe(
      mergeMap(() => load(session.model.api)),
      takeUntil(closed$),
    )
    .subscribe()
}
