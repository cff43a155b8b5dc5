// Holds the settings that a session is opened with, whose model gets its facts when they are loaded.
import { ReplaySubject, defer, share, tap } from 'rxjs'
import type { RequestSettings } from '../../operators/ports/run-ports.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import type { SessionParts } from '../contract/session-parts.ts'
import type { InitialModel } from './initial-model.ts'

type OtherSettings = Omit<RequestSettings, keyof ProviderModel> & Pick<RequestSettings, 'thinkingLevel'>

/** Returns the same settings until the facts are loaded; loads nothing by itself. */
export function openingModel(
  { later$, unusable, ...early }: InitialModel,
  others: OtherSettings,
): Pick<SessionParts, 'settings' | 'pendingModel'> {
  let settings: RequestSettings = { ...early, ...others }
  if (later$ === undefined) return { settings: () => settings }
  let isWhole = false
  const load$ = defer(() => later$).pipe(
    tap((whole) => {
      settings = { ...whole, ...others }
      isWhole = true
    }),
    share({ connector: () => new ReplaySubject(1) }),
  )
  return { settings: () => settings, pendingModel: () => (isWhole ? undefined : load$) }
}
