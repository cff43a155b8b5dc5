// Loads an extension into a worker thread, and reports to its session when the worker is lost.
import { from, ignoreElements, mergeMap } from 'rxjs'
import type { Observable } from 'rxjs'
import { contentDigest } from '../../extensions/index.ts'
import type { ExtensionSet, ExtensionSetOptions, ExtensionSource, ModuleFile } from '../../extensions/index.ts'
import { withIsolated } from '../../extensions/isolate/host/isolated-extension.ts'
import type { IsolateOptions, IsolatedExport } from '../../extensions/isolate/host/isolated-extension.ts'
import type { Settings } from '../../streams/config/settings.ts'
import { Failure } from '../../streams/values/failure.ts'

interface IsolatedSource extends Pick<ExtensionSource, 'name' | 'root' | 'digest' | 'isDev' | 'isPi'> {
  readonly file: ModuleFile
}

export interface IsolationParts extends Pick<ExtensionSetOptions, 'host'> {
  /** That of the session, to which the end of a worker is reported. */
  readonly set: ExtensionSet
  readonly isolation?: Settings['isolation'] | undefined
}

/** MiB that a worker may use. */
const defaultMemoryMb = 256

/**
 * `use$` gets what the module exports. Fails with `bad_config` for a module that is written for pi: it needs streams of events and
 * sections of the prompt, which no worker has.
 */
export function withIsolatedSource<Value>(
  source: IsolatedSource,
  { set, host, isolation }: IsolationParts,
  use$: (exported: IsolatedExport) => Observable<Value>,
): Observable<Value> {
  const { name, file } = source
  if (source.isPi) throw new Failure('bad_config', `${name} is written for pi, and such modules cannot be isolated`)
  const session = reports(set, name)
  const options: Omit<IsolateOptions, 'program'> = {
    ...{ env: host.env, file, ...session },
    memoryMb: isolation?.memoryMb ?? defaultMemoryMb,
    checkFiles$: sameFiles(source),
  }
  // The program is a file of its own in a bundle, because it is imported apart.
  return from(import('./isolate-program.ts')).pipe(
    mergeMap(({ programUrl: program }) =>
      withIsolated({ ...options, program }, (exported) => {
        if (typeof exported['name'] === 'string') session.name = exported['name']
        return use$(exported)
      }),
    ),
  )
}

function sameFiles({ root, digest, isDev }: IsolatedSource): Observable<never> {
  return contentDigest(root).pipe(
    mergeMap((now) => {
      if (now === digest || isDev) return []
      throw new Failure('bad_config', 'its files were changed, so no new worker is started')
    }),
    ignoreElements(),
  )
}

/** `name` is that of the manifest, once it is known. */
function reports(set: ExtensionSet, name: string) {
  const session = {
    name,
    onLost: ({ failure, isReported }: Parameters<IsolateOptions['onLost']>[0]) => {
      if (isReported) set.warn(`The worker of the extension ${session.name} was ended: ${failure.message}`)
      else set.faults.report(session.name, 'its worker', failure)
    },
    onAbandon: (failure: Failure) => {
      set.faults.report(session.name, 'the start of a new worker', failure)
      set.unload(session.name, 'failed').subscribe() // it ends by itself, and does not fail
    },
  }
  return session
}
