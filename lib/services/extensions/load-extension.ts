// Loads one extension: its module, its manifest, and a check that the files stayed as they were.
import { defer, forkJoin, from, map, mergeMap } from 'rxjs'
import type { Observable } from 'rxjs'
import { contentDigest, loadModule, readDefinition } from '../../extensions/index.ts'
import type { ExtensionDefinition, ExtensionSource, ModuleFile } from '../../extensions/index.ts'
import { Failure } from '../../streams/values/failure.ts'
import { libraryEntries } from './library-entries.ts'

type LoadedSource = Pick<
  ExtensionSource,
  'name' | 'entry' | 'root' | 'digest' | 'files' | 'isDev' | 'isPi' | 'mayReplace'
>

/**
 * Emits the definition, and completes. Each call evaluates the module anew. Fails with `bad_config` if the module or its
 * manifest is not valid, or if its files were changed after their digest was taken.
 */
export function loadExtension(source: LoadedSource, rxpiVersion: string): Observable<ExtensionDefinition> {
  return source.isPi
    ? piDefinition(source)
    : loadModule(moduleOf(source), libraryEntries).pipe(
        mergeMap((exported) => unchanged(source, () => readDefinition(exported, { path: source.entry, rxpiVersion }))),
      )
}

/** What changes in a folder with the mark `dev` runs. */
function moduleOf({ files, isDev, ...file }: LoadedSource): ModuleFile {
  return { ...file, files: isDev ? undefined : files }
}

/** A module that is written for pi: it gets pi's names beside those of rxpi. */
function piDefinition(source: LoadedSource): Observable<ExtensionDefinition> {
  const { name, entry: path, mayReplace: replaces } = source
  const entries$ = (): Observable<Readonly<Record<string, unknown>>> =>
    forkJoin([libraryEntries(), defer(async () => (await piModulesFile()).piModules())]).pipe(
      map(([own, pi]) => ({ ...own, ...pi })),
    )
  return loadModule(moduleOf(source), entries$).pipe(
    mergeMap((exported) =>
      from(import('../../extensions/pi/pi-extension.ts')).pipe(map((file) => ({ exported, file }))),
    ),
    mergeMap(({ exported, file }) => unchanged(source, () => file.piExtension(exported, { name, path, replaces }))),
  )
}

function piModulesFile() {
  return import('../../extensions/pi/modules/pi-modules.ts')
}

/** What `read` returns, if the files are still those of the digest. */
function unchanged(
  { root, digest, isDev }: LoadedSource,
  read: () => ExtensionDefinition,
): Observable<ExtensionDefinition> {
  return contentDigest(root).pipe(
    map((now) => {
      if (now === digest || isDev) return read()
      const message = `The files of the extension ${root} were changed while it was loaded; open the session again`
      throw new Failure('bad_config', message)
    }),
  )
}
