// Loads the module of an extension without a build step, and leaves nothing of it in the module cache.
// Guarantees: a module that asks for rxjs or rxpi gets those of this process, so `instanceof` holds on both sides.
import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { from, mergeMap, timeout } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure, describeThrown } from '../../streams/values/failure.ts'

/** The modules of this process by the name under which extensions import them; emits once. */
export type LibraryEntries = () => Observable<Readonly<Record<string, unknown>>>

export interface ModuleFile {
  /** Absolute. */
  readonly entry: string
  /** The folder of the extension; the entry itself if it is a single file. */
  readonly root: string
}

/** Milliseconds that the top level of a module may take, its awaits included. */
export const moduleLimitMs = 30_000

/**
 * Emits the default export of a TypeScript or JavaScript module, and completes. Each call evaluates the module and what it
 * imports anew. Fails with `bad_config` if it cannot be read, compiled or evaluated within 30 s.
 */
export function loadModule({ entry, root }: ModuleFile, entries: LibraryEntries): Observable<unknown> {
  return entries().pipe(
    mergeMap((virtualModules) => {
      if (entry === root) checkAlone(entry, virtualModules)
      return from(importModule(entry, virtualModules))
    }),
    timeout({
      each: moduleLimitMs,
      with: () => {
        throw new Failure('bad_config', `The extension ${entry} did not load within ${moduleLimitMs / 1000} s`)
      },
    }),
  )
}

async function importModule(entry: string, virtualModules: Readonly<Record<string, unknown>>): Promise<unknown> {
  const { createJiti } = await import('jiti')
  // without `tryNative`: Node never unloads what it imports itself
  const jiti = createJiti(entry, { moduleCache: false, fsCache: false, tryNative: false, virtualModules, jsx: true })
  try {
    return await jiti.import(entry, { default: true })
  } catch (cause) {
    const why = describeThrown(cause)
    throw new Failure('bad_config', `The extension ${entry} cannot be loaded: ${why}`, { cause, data: { path: entry } })
  }
}

const imports = /\b(?:from|import|require)\s*\(?\s*(['"])([^'"\n]+)\1/g

/** @throws Failure `bad_config` that names the import which is no part of the file */
function checkAlone(entry: string, known: Readonly<Record<string, unknown>>): void {
  const text = readFileSync(entry, 'utf8')
  for (const [, , name = ''] of text.matchAll(imports)) {
    if (isBuiltin(name) || Object.hasOwn(known, name)) continue
    const hint = 'an extension of several files is a folder with a package.json or an index.ts'
    throw new Failure('bad_config', `The extension ${entry} imports ${name}, which its digest does not cover; ${hint}`)
  }
}
