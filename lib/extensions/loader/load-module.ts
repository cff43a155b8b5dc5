// Loads the module of an extension without a build step, and leaves nothing of it in the module cache.
// Guarantees: a module that asks for rxjs or rxpi gets those of this process, so `instanceof` holds on both sides.
import { realpathSync } from 'node:fs'
import { from, mergeMap, timeout } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure, describeThrown } from '../../streams/values/failure.ts'
import type { ContentFiles } from '../discovery/content-digest.ts'
import { ModuleGraph } from './module-graph.ts'

/** The modules of this process by the name under which extensions import them; emits once. */
export type LibraryEntries = () => Observable<Readonly<Record<string, unknown>>>

export interface ModuleFile {
  /** Absolute. */
  readonly entry: string
  /** The folder of the extension; the entry itself if it is a single file. */
  readonly root: string
  /** The digests of its files: a file with other content is refused. Default: none is checked. */
  readonly files?: ContentFiles | undefined
}

/** Milliseconds that the top level of a module may take, its awaits included. */
export const moduleLimitMs = 30_000

/**
 * Emits the default export of a TypeScript or JavaScript module, and completes. Each call evaluates the module and what it
 * imports anew. Fails with `bad_config` if it cannot be read, compiled or evaluated within 30 s.
 */
export function loadModule(file: ModuleFile, entries: LibraryEntries): Observable<unknown> {
  const { entry } = file
  return entries().pipe(
    mergeMap((libraries) => from(importModule(file, libraries))),
    timeout({
      each: moduleLimitMs,
      with: () => {
        throw new Failure('bad_config', `The extension ${entry} did not load within ${moduleLimitMs / 1000} s`)
      },
    }),
  )
}

async function importModule(
  { entry, root, files }: ModuleFile,
  libraries: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const { createJiti } = await import('jiti')
  const options = { moduleCache: false, fsCache: false, tryNative: false, jsx: true } as const
  try {
    const graph = new ModuleGraph({
      root: realpathSync(root),
      files,
      libraries,
      createJiti: (file) => createJiti(file, options),
    })
    const exports = (await graph.importFile(entry)) as { readonly default?: unknown } | undefined
    return exports?.default ?? exports
  } catch (cause) {
    const why = describeThrown(cause)
    throw new Failure('bad_config', `The extension ${entry} cannot be loaded: ${why}`, { cause, data: { path: entry } })
  }
}
