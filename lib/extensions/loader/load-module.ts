// Loads the module of an extension without a build step, and leaves nothing of it in the module cache.
// Guarantees: a module that asks for rxjs or rxpi gets those of this process, so `instanceof` holds on both sides.
import { realpathSync } from 'node:fs'
import { Subject, from, map, merge, mergeMap, startWith, switchMap, take, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure, describeThrown } from '../../streams/values/failure.ts'
import type { ContentFiles } from '../discovery/content-digest.ts'
import { readCodes, writeCodes } from './code-file.ts'
import type { CodeLocation } from './code-file.ts'
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
  /** Where its compiled code is stored. Default: nowhere. */
  readonly code?: CodeLocation | undefined
}

/** Milliseconds that the top level of a file may take, its awaits included. */
export const moduleLimitMs = 30_000

/**
 * Emits the default export of a TypeScript or JavaScript module, and completes. Each call evaluates the module and what it
 * imports anew. Fails with `bad_config` if it cannot be read or compiled, or if one of its files takes more than 30 s.
 */
export function loadModule(file: ModuleFile, entries: LibraryEntries): Observable<unknown> {
  return entries().pipe(
    mergeMap((libraries) => {
      const step$ = new Subject<void>()
      const overdue$ = step$.pipe(
        startWith(undefined),
        switchMap(() => timer(moduleLimitMs)),
        map(() => {
          throw new Failure('bad_config', `The extension ${file.entry} did not load within ${moduleLimitMs / 1000} s`)
        }),
      )
      const onFile = (): void => step$.next()
      return merge(from(importModule(file, libraries, onFile)), overdue$).pipe(take(1))
    }),
  )
}

async function importModule(
  { entry, root, files, code }: ModuleFile,
  libraries: Readonly<Record<string, unknown>>,
  onFile: () => void,
): Promise<unknown> {
  const { createJiti } = await import('jiti')
  const options = { moduleCache: false, fsCache: false, tryNative: false, jsx: true } as const
  const stored = code && readCodes(code)
  const codes = stored && new Map(stored)
  try {
    const graph = new ModuleGraph({
      codes,
      onFile,
      root: realpathSync(root),
      files,
      libraries,
      createJiti: (file) => createJiti(file, options),
    })
    const exports = (await graph.importFile(entry)) as { readonly default?: unknown } | undefined
    if (code !== undefined && codes !== undefined && codes.size !== stored?.size) writeCodes(code, codes)
    return exports?.default ?? exports
  } catch (cause) {
    const why = describeThrown(cause)
    throw new Failure('bad_config', `The extension ${entry} cannot be loaded: ${why}`, { cause, data: { path: entry } })
  }
}
