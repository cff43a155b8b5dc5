// Loads jiti at its first use: a single file with stored code needs none of it.
import Module from 'node:module'
import type { Jiti, createJiti } from 'jiti'
import type { SourceText } from './compiled-code.ts'
import { sourceKind } from './source-kind.ts'

/** Without caches of its own, and without Node's loader: `ModuleGraph` evaluates. */
export const jitiOptions = { moduleCache: false, fsCache: false, tryNative: false, jsx: true } as const

/** Loads synchronously, because a `require` of an extension cannot wait. */
const load = Module.createRequire(import.meta.url)

/** @param file absolute: relative names are resolved from it */
export function jitiOf(file: string): Jiti {
  return (load('jiti') as { readonly createJiti: typeof createJiti }).createJiti(file, jitiOptions)
}

/** The file of jiti, for a thread that loads it by itself. */
export function jitiFile(): string {
  return load.resolve('jiti')
}

/** A file that does not parse is compiled to a module that describes the fault. */
export function compileSource(text: SourceText): string {
  return jitiOf(text.filename).transform(transformOptions(text))
}

export function transformOptions(text: SourceText): SourceText & { readonly ts: boolean; readonly jsx: true } {
  return { ...text, ts: sourceKind(text.filename) === 'typescript', jsx: true }
}
