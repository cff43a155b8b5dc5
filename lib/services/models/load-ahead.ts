// What the first request of a session's model needs is loaded while a person still types it.
import { endWith, ignoreElements, mergeMap, takeUntil, timer } from 'rxjs'
import { loadWire } from '../../providers/index.ts'
import type { Session } from '../../session/contract/session.ts'

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
