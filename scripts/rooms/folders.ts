// Finds faults of the folders inside rooms: cycles, crowded folders, imports of the room's own index.
import path from 'node:path'

/** A file and its imports within this repository, as dependency-cruiser lists them. */
export interface Module {
  readonly source: string
  readonly imports: readonly string[]
}

export interface Fault {
  /** `folder-cycle`, `crowded-folder`, `own-index` or `base-name-twice`. */
  readonly rule: string
  readonly message: string
}

/** Maximum of files in a folder. */
export const folderLimit = 20

/** Data and generated code: neither counted nor checked. */
const data = /\/(?:generated|catalogue-data)\//

/** Returns the modules to check: hand-written files of lib, app and scripts. */
export function housed(modules: readonly Module[]): readonly Module[] {
  return modules.filter(({ source }) => /^(?:lib|app|scripts)\//.test(source) && !data.test(source))
}

/** The room of a file: `lib/streams`, `app`, `scripts`; a barrel is a room of its own. */
export function roomOf(file: string): string {
  const [top = '', room = ''] = file.split('/')
  return top === 'lib' ? `lib/${room}` : top
}

/** Returns all faults of the folders, sorted. `modules` holds every cruised module. */
export function folderFaults(modules: readonly Module[]): readonly Fault[] {
  const own = housed(modules)
  return [...crowded(own), ...ownIndexes(own), ...cycles(own), ...repeatedNames(own)]
}

function crowded(modules: readonly Module[]): readonly Fault[] {
  return [...sizes(modules)]
    .filter(([, size]) => size > folderLimit)
    .map(([folder, size]) => ({
      rule: 'crowded-folder',
      message: `${folder} holds ${size} files, ${folderLimit} at most`,
    }))
}

/** Files by folder. */
export function sizes(modules: readonly Module[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { source } of modules) {
    const folder = path.dirname(source)
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return counts
}

/** An index gathers its room for others. */
export function isIndex(file: string): boolean {
  return /\/index\.tsx?$/.test(file)
}

function ownIndexes(modules: readonly Module[]): readonly Fault[] {
  return modules.flatMap(({ source, imports }) =>
    imports
      .filter((file) => isIndex(file) && !data.test(file) && roomOf(file) === roomOf(source))
      .map((file) => ({ rule: 'own-index', message: `${source} imports ${file}, the index of its own room` })),
  )
}

/** Each import that closes a cycle between two folders of one room; imports of an index do not count. */
function cycles(modules: readonly Module[]): readonly Fault[] {
  const edges = new Map<string, Map<string, string>>()
  for (const { source, imports } of modules) {
    if (isIndex(source)) continue
    const folder = path.dirname(source)
    for (const file of imports) {
      const target = path.dirname(file)
      if (target === folder || isIndex(file) || data.test(file) || roomOf(file) !== roomOf(source)) continue
      const targets = edges.get(folder) ?? new Map<string, string>()
      edges.set(folder, targets.set(target, `${source} → ${file}`))
    }
  }
  return [...edges].flatMap(([folder, targets]) =>
    [...targets]
      .filter(([target]) => reaches(edges, target, folder))
      .map(([target, example]) => ({ rule: 'folder-cycle', message: `${folder} ⇄ ${target}: ${example}` })),
  )
}

function reaches(edges: ReadonlyMap<string, ReadonlyMap<string, string>>, from: string, to: string): boolean {
  const visited = new Set<string>([from])
  const open = [from]
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    if (folder === to) return true
    for (const next of edges.get(folder)?.keys() ?? []) {
      if (!visited.has(next)) open.push(next)
      visited.add(next)
    }
  }
  return false
}

function repeatedNames(modules: readonly Module[]): readonly Fault[] {
  const byName = new Map<string, string[]>()
  for (const { source } of modules) {
    if (!source.startsWith('lib/') || source.split('/').length === 2 || isIndex(source)) continue
    const name = path.basename(source)
    byName.set(name, [...(byName.get(name) ?? []), source])
  }
  return [...byName.values()]
    .filter((files) => files.length > 1)
    .map((files) => ({ rule: 'base-name-twice', message: files.join(', ') }))
}
