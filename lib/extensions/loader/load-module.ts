// Loads the module of an extension without a build step, and leaves nothing of it in the module cache.
// Guarantees: a module that asks for rxjs or rxpi gets those of this process, so `instanceof` holds on both sides.
import { realpathSync } from 'node:fs'
import { Subject, from, map, merge, mergeMap, startWith, switchMap, take, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure, describeThrown } from '../../streams/values/failure.ts'
import type { ContentFiles } from '../discovery/content-digest.ts'
import { readCodes, writeCodes } from './code-file.ts'
import type { CodeLocation } from './code-file.ts'
import { compiledCode } from './compiled-code.ts'
import type { SourceText } from './compiled-code.ts'
import { compileSource } from './jiti-loader.ts'
import { ModuleGraph } from './module-graph.ts'
import type { GraphOptions } from './module-graph.ts'

/** The modules of this process by the name under which extensions import them; emits once. */
export type LibraryEntries = () => Observable<Readonly<Record<string, unknown>>>

/** Compiles a module; of one that does not parse, the code describes the fault. */
type Compile = GraphOptions['compile']

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
 * @param compile default: in this thread, which remembers the code
 */
export function loadModule(
  file: ModuleFile,
  entries: LibraryEntries,
  compile: Compile = compileHere,
): Observable<unknown> {
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
      return merge(from(importModule(file, { libraries, compile, onFile })), overdue$).pipe(take(1))
    }),
  )
}

function compileHere(text: SourceText): string {
  return compiledCode(text, () => compileSource(text))
}

async function importModule(
  { entry, root, files, code }: ModuleFile,
  parts: Pick<GraphOptions, 'libraries' | 'compile' | 'onFile'>,
): Promise<unknown> {
  const stored = code && readCodes(code)
  const codes = stored && new Map(stored)
  try {
    const graph = new ModuleGraph({ ...parts, codes, root: realpathSync(root), files })
    const exports = (await graph.importFile(entry)) as { readonly default?: unknown } | undefined
    if (code !== undefined && codes !== undefined && codes.size !== stored?.size) writeCodes(code, codes)
    return exports?.default ?? exports
  } catch (cause) {
    const why = describeThrown(cause)
    throw new Failure('bad_config', `The extension ${entry} cannot be loaded: ${why}`, { cause, data: { path: entry } })
  }
}
