// Loads one extension: its module, its manifest, and a check that the files stayed as they were.
import path from 'node:path'
import { defer, forkJoin, from, map, mergeMap } from 'rxjs'
import type { Observable } from 'rxjs'
import { contentDigest, loadModule, readDefinition } from '../../extensions/index.ts'
import type { ExtensionDefinition, ExtensionSource, ModuleFile } from '../../extensions/index.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { SessionLink } from '../../extensions/pi/contract/session-link.ts'
import { libraryEntries } from './library-entries.ts'
import type { IsolationParts } from './load-isolated.ts'

type LoadedSource = Pick<
  ExtensionSource,
  'name' | 'entry' | 'root' | 'digest' | 'files' | 'isDev' | 'isIsolated' | 'isPi' | 'mayReplace'
>

interface LoadOptions extends IsolationParts {
  readonly rxpiVersion: string
  readonly folders: { readonly home: string }
}

/**
 * `use$` gets the definition once. Each call evaluates the module anew, in a worker if the extension is isolated. Fails with
 * `bad_config` if the module or its manifest is not valid, or if its files were changed after their digest was taken.
 */
export function withExtension<Value>(
  source: LoadedSource,
  options: LoadOptions,
  use$: (definition: ExtensionDefinition) => Observable<Value>,
): Observable<Value> {
  const { isolation, rxpiVersion } = options
  const read$ = (exported: unknown): Observable<Value> =>
    unchanged(source, () => readDefinition(exported, { path: source.entry, rxpiVersion })).pipe(mergeMap(use$))
  if (source.isIsolated || isolation?.extensions?.includes(source.name) === true) {
    return from(import('./load-isolated.ts')).pipe(
      mergeMap(({ withIsolatedSource }) =>
        withIsolatedSource({ ...source, file: storedModule(source, options) }, options, read$),
      ),
    )
  }
  if (source.isPi) return piDefinition(source, options).pipe(mergeMap(use$))
  return loadModule(storedModule(source, options), libraryEntries).pipe(mergeMap(read$))
}

/** Changed files of a folder with the mark `dev` run. */
function moduleOf({ files, isDev, ...file }: LoadedSource): ModuleFile {
  return { ...file, files: isDev ? undefined : files }
}

/** Its compiled code is beside the trust records, which no tool can write. Nothing is stored of a folder with the mark `dev`. */
function storedModule(source: LoadedSource, { folders }: LoadOptions): ModuleFile {
  const { digest, isDev } = source
  const code = isDev ? undefined : { folder: path.join(folders.home, 'extension-code'), digest }
  return { ...moduleOf(source), code }
}

/** A module that is written for pi: it gets pi's names beside those of rxpi. */
function piDefinition(source: LoadedSource, options: LoadOptions): Observable<ExtensionDefinition> {
  const { name, entry, mayReplace: replaces } = source
  const link: SessionLink = {}
  const entries$ = (): Observable<Readonly<Record<string, unknown>>> =>
    forkJoin([
      libraryEntries(),
      defer(async () => (await piModulesFile()).piModules({ variables: options.host.env, link })),
    ]).pipe(map(([own, pi]) => ({ ...own, ...pi })))
  return loadModule(storedModule(source, options), entries$).pipe(
    mergeMap((exported) =>
      from(import('../../extensions/pi/pi-extension.ts')).pipe(map((file) => ({ exported, file }))),
    ),
    mergeMap(({ exported, file }) =>
      unchanged(source, () =>
        file.piExtension(exported, { name, path: entry, replaces, link, variables: options.host.env }),
      ),
    ),
  )
}

function piModulesFile() {
  return import('../../extensions/pi/modules/pi-modules.ts')
}

/** Calls `read`, if the files are still those of the digest. */
function unchanged<Value>(
  { root, digest, isDev }: Pick<ExtensionSource, 'root' | 'digest' | 'isDev'>,
  read: () => Value,
): Observable<Value> {
  return contentDigest(root).pipe(
    map((now) => {
      if (now === digest || isDev) return read()
      const message = `The files of the extension ${root} were changed while it was loaded; open the session again`
      throw new Failure('bad_config', message)
    }),
  )
}
