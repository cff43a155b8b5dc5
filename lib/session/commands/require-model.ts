// Chooses a model for a command that needs one, if the session was opened without a usable model.
import { defer, merge, mergeMap, take } from 'rxjs'
import type { Observable } from 'rxjs'
import type { Pipeline } from '../pipeline/pipeline.ts'
import type { SessionCore } from '../runs/session-core.ts'

export interface ModelNeed {
  readonly core: SessionCore
  readonly pipeline: Pick<Pipeline, 'publish'>
  /** Fails when the session is closed. */
  readonly closed$: Observable<never>
}

/**
 * Subscribes to `answer` in the call itself if the session has a model with its facts. Facts that are missing are loaded
 * first; fails as their loading does. Without a model the session chooses one again: a key
 * may have been stored since. The choice is an event of the log. Fails with `no_model` if there is still none.
 * @throws Failure `no_model` if the session cannot choose
 */
export function requireModel<Answer extends object>(
  need: ModelNeed,
  answer: () => Observable<Answer>,
): Observable<Answer> {
  const { core, pipeline, closed$ } = need
  const pending$ = core.settings.pending()
  if (pending$ !== undefined) return merge(pending$, closed$).pipe(take(1), mergeMap(() => requireModel(need, answer))) // prettier-ignore
  const unusable = core.settings.unusable()
  if (unusable === undefined) return answer()
  const { chooseModel } = core.parts
  if (chooseModel === undefined) throw unusable
  return merge(defer(chooseModel), closed$).pipe(
    take(1),
    mergeMap((found) => {
      // another command may have set one meanwhile
      if (core.settings.unusable() !== undefined) pipeline.publish({ event: core.settings.setModel(found, 'server') })
      return answer()
    }),
  )
}

/** @throws Failure `no_model` */
export function checkModel({ settings }: Pick<SessionCore, 'settings'>): void {
  const unusable = settings.unusable()
  if (unusable !== undefined) throw unusable
}
