// Loads one extension: its module, its manifest, and a check that the files stayed as they were.
import { map, mergeMap } from 'rxjs'
import type { Observable } from 'rxjs'
import { contentDigest, loadModule, readDefinition } from '../../extensions/index.ts'
import type { ExtensionDefinition, ExtensionSource } from '../../extensions/index.ts'
import { Failure } from '../../streams/values/failure.ts'
import { libraryEntries } from './library-entries.ts'

/**
 * Emits the definition, and completes. Each call evaluates the module anew. Fails with `bad_config` if the module or its
 * manifest is not valid, or if its files were changed after their digest was taken.
 */
export function loadExtension(
  { entry, root, digest, isDev }: Pick<ExtensionSource, 'entry' | 'root' | 'digest' | 'isDev'>,
  rxpiVersion: string,
): Observable<ExtensionDefinition> {
  return loadModule({ entry, root }, libraryEntries).pipe(
    mergeMap((exported) =>
      contentDigest(root).pipe(
        map((now) => {
          if (now === digest || isDev) return readDefinition(exported, { path: entry, rxpiVersion })
          const message = `The files of the extension ${root} were changed while it was loaded; open the session again`
          throw new Failure('bad_config', message)
        }),
      ),
    ),
  )
}
