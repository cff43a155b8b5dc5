// A wire is a chunk of its own: what builds its requests and reads its answers is loaded with the first request that speaks it.
import { concatMap, defer, shareReplay } from 'rxjs'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import type { Provider } from '../../streams/ports/provider.ts'

/** The Provider that `load` gives, loaded with the first request and kept; after a failure it is loaded again. */
export function loadedProvider(load: () => Promise<Provider>): Provider {
  const adapter$ = defer(() => fromAbortable(load)).pipe(shareReplay({ bufferSize: 1, refCount: true }))
  return (request) => adapter$.pipe(concatMap((answer) => answer(request)))
}
