// Lists the models that the user's files and the client's environment make available.
import { defer, endWith, ignoreElements, mergeMap, takeUntil, timer } from 'rxjs'
import { listModels, processKeyMemory, loadWire } from '../../providers/index.ts'
import { localMsOf } from './configured-model.ts'
import type { UserConfiguration } from './configured-model.ts'
import type { ModelsBackend } from '../contract/server-backend.ts'
import type { Session } from '../../session/contract/session.ts'

/** Where somebody reads a list, an endpoint may take longer than if a run waits for it. */
const patience = 3

/** @param configured the user's files, for a client with this environment */
export function createModelsBackend(
  configured: (env: Readonly<Record<string, string>>) => UserConfiguration,
): ModelsBackend {
  return {
    list: ({ cwd, env = {}, ...filter }) =>
      defer(() => {
        const { settings, models, authStorage } = configured(env)
        const localMs = localMsOf(settings) * patience
        return listModels({ ...filter, cwd, env, models, authStorage, memory: processKeyMemory, localMs })
      }),
  }
}

// What the first request of a session's model needs is loaded while a person still types it.

/** Milliseconds after the opening: what a program that prompts at once needs, it has asked for by then. */
const pause = 300

/**
 * So the first answer of a server begins 70 ms earlier: as long does its thread take for a vendor's SDK and the platform's
 * `Headers`, which bring all of `fetch` with them. Nothing is loaded for a session that is closed before.
 * @param load gets the model's `api`. Default: `loadWire`
 */
export function loadAhead(session: Pick<Session, 'model' | 'events$'>, load = loadWire): void {
  const closed$ = session.events$.pipe(ignoreElements(), endWith(undefined))
  timer(pause)
    .pipe(
      mergeMap(() => load(session.model.api)),
      takeUntil(closed$),
    )
    .subscribe()
}
