// Finds the modules of rxpi that the sources of an extension name, so that its thread loads no others.
// Guarantees: a module that a source names in quotes is one of them.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { ModuleFile } from '../../extensions/loader/load-module.ts'
import { sourceKind } from '../../extensions/loader/source-kind.ts'

/** Of files with a code that is read for names; an extension with more gets all modules. */
const mostFiles = 200

/** The texts of all its source files; undefined if they are not known before it is loaded, or too many. */
export function sourceTexts({ entry, root, files }: ModuleFile): readonly string[] | undefined {
  if (entry === root) return [readFileSync(entry, 'utf8')]
  const names = [...(files?.keys() ?? [])].filter((name) => /^(?:type|java)script$/.test(sourceKind(name)))
  if (files === undefined || names.length > mostFiles) return undefined
  return names.map((name) => readFileSync(path.join(root, name), 'utf8'))
}

/** True if a text has the name in quotes. */
export function isNamed(name: string, texts: readonly string[]): boolean {
  return texts.some((text) => text.includes(`'${name}'`) || text.includes(`"${name}"`))
}

const mention = /(['"`])rxpi\1/g
const statement = /\bimport\s+(type\s+)?\{([^{}]*)\}\s*from\s*(['"])rxpi\3/g

/** True if each mention of `rxpi` in a text is an import of these names, or of types alone. */
export function importsOnly(names: ReadonlySet<string>, text: string): boolean {
  const imports = [...text.matchAll(statement)]
  if (imports.length !== [...text.matchAll(mention)].length) return false
  return imports.every(
    ([, isType, list = '']) => isType !== undefined || valuesIn(list).every((name) => names.has(name)),
  )
}

/** The exports that a list names; a type has no value. */
function valuesIn(list: string): string[] {
  const parts = list.split(',').map((part) => part.trim())
  return parts
    .filter((part) => part !== '' && !part.startsWith('type '))
    .map((part) => part.replace(/\s+as\s+\w+$/, ''))
}
