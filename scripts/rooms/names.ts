// Checks names: unique base names of files in lib, no banned word in identifiers.
//
// `node scripts/rooms/names.ts` checks; `--prune` removes unused exceptions from name-exceptions.txt.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { replaceFile } from '../shared/replace-file.ts'

export interface NameExceptions {
  /** Names of the wire and of the log; allowed as property names. */
  readonly wire: readonly string[]
  /** Base names that several files of lib have, to be renamed. */
  readonly baseNames: readonly string[]
  /** Identifiers with a banned word, to be renamed. */
  readonly identifiers: readonly string[]
}

export interface NameFaults {
  readonly messages: readonly string[]
  /** Exceptions that are not needed any more. */
  readonly stale: readonly string[]
}

const banned = new Set(['tell', 'told', 'asked', 'given', 'kept', 'said', 'seen', 'landing', 'course', 'place'])

const checkedFolders = ['lib', 'app', 'test', 'scripts', 'bench', 'examples']

/** Checks the sources below these folders of `root`. */
export function checkNames(root: string, exceptions: NameExceptions): NameFaults {
  const files = checkedFolders
    .filter((folder) => existsSync(path.join(root, folder)))
    .flatMap((folder) => sourcesOf(root, folder))
  const shared = repeatedBaseNames(files)
  const found = new Map<string, string>()
  for (const file of files) {
    for (const name of bannedIdentifiers(readFileSync(path.join(root, file), 'utf8'), file, exceptions.wire)) {
      if (!found.has(name)) found.set(name, file)
    }
  }
  const messages = [
    ...Array.from(shared)
      .filter(([name]) => !exceptions.baseNames.includes(name))
      .map(([name, paths]) => `${name} names several files of lib: ${paths.join(', ')}`),
    ...Array.from(found)
      .filter(([name]) => !exceptions.identifiers.includes(name))
      .map(
        ([name, file]) => `${file}: \`${name}\` holds a banned word; name the thing: publish, emit, question, cursor …`,
      ),
  ]
  const stale = [
    ...exceptions.baseNames.filter((name) => !shared.has(name)),
    ...exceptions.identifiers.filter((name) => !found.has(name)),
  ]
  return { messages, stale }
}

/** Maps each base name of several files to these files. Index files and the barrels of lib are exempt. */
function repeatedBaseNames(files: readonly string[]): Map<string, string[]> {
  const byName = new Map<string, string[]>()
  for (const file of files) {
    const name = path.basename(file)
    if (!/^lib\/.*\//.test(file) || name === 'index.ts') continue
    byName.set(name, [...(byName.get(name) ?? []), file])
  }
  return new Map(Array.from(byName).filter(([, paths]) => paths.length > 1))
}

export function sourcesOf(root: string, folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => path.posix.join(folder, ...name.split(path.sep)))
    .filter((file) => /(?<!\.d)\.tsx?$/.test(file) && !/\/(?:generated|catalogue-data|data|node_modules)\//.test(file))
    .sort()
}

/** Returns each identifier of a source with a banned word once. */
export function bannedIdentifiers(source: string, file: string, wire: readonly string[] = []): Set<string> {
  const names = new Set<string>()
  if (!/tell|told|asked|given|kept|said|seen|landing|course|place/i.test(source)) return names
  const visit = (value: unknown, isProperty: boolean): void => {
    if (Array.isArray(value)) for (const each of value) visit(each, false)
    else if (isNode(value)) {
      const { name } = value
      if (/Identifier$/.test(value.type) && typeof name === 'string' && isBanned(name)) {
        if (!isProperty || !wire.includes(name)) names.add(name)
      }
      for (const [key, child] of Object.entries(value)) visit(child, isPropertyName(value, key))
    }
  }
  visit(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }), false)
  return names
}

interface Node extends Readonly<Record<string, unknown>> {
  readonly type: string
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

/** True if the child under `key` is a property name; the variable of a shorthand `{ kept }` counts as one. */
function isPropertyName(node: Node, key: string): boolean {
  if (node['computed'] === true) return false
  return key === 'key' || key === 'property' || (key === 'value' && node['shorthand'] === true)
}

function isBanned(identifier: string): boolean {
  return identifier
    .split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_$#]/)
    .some((word) => banned.has(word.toLowerCase()))
}

/** Reads `wire NAME`, `file NAME` and `identifier NAME`, one a line; `#` begins a comment. */
export function readExceptions(text: string): NameExceptions {
  const rows = text.split('\n').map((line) => line.split(' '))
  const of = (kind: string): string[] => rows.flatMap(([first, name = '']) => (first === kind ? [name] : []))
  return { wire: of('wire'), baseNames: of('file'), identifiers: of('identifier') }
}

if (import.meta.main) {
  const list = path.join(import.meta.dirname, 'name-exceptions.txt')
  const text = readFileSync(list, 'utf8')
  const { messages, stale } = checkNames(path.resolve(import.meta.dirname, '../..'), readExceptions(text))
  for (const message of messages) console.error(message)
  if (messages.length > 0) process.exitCode = 1
  const idle = new Set(stale.flatMap((name) => [`file ${name}`, `identifier ${name}`]))
  if (process.argv.includes('--prune')) {
    const lines = text.split('\n').filter((line) => !idle.has(line))
    replaceFile(list, lines.join('\n'))
  } else if (stale.length > 0) {
    console.log(`names: ${stale.length} exceptions are not needed any more: node scripts/rooms/names.ts --prune`)
  }
}
