// Moves a finished build into a folder named by its content and points the stable paths at it.
//
// The stable paths that package.json names are one-line modules that re-export from that folder; a rename replaces
// them. So a running server, and a program that imported the library, load later chunks from the folder they started
// in. npm leaves symlinks out of a packed tarball, so the paths are no symlink.
import { createHash } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { buildsInUse } from './builds-in-use.ts'
import { replaceFile } from '../shared/replace-file.ts'

/** Newest builds that stay, besides those that a process runs from. A developer who uses rxpi on rxpi builds often. */
const stored = 10

/**
 * Moves the finished folder `fresh` to its place in `dist`, points the stable paths at it and removes old builds.
 * `stable` maps a path in `dist` to the module of the build that it re-exports. Returns the build's name.
 */
export function switchBuild(dist: string, fresh: string, stable: Readonly<Record<string, string>>): string {
  const build = contentName(fresh)
  const workspace = path.join(dist, build)
  if (existsSync(workspace)) rmSync(fresh, { recursive: true })
  else renameSync(fresh, workspace)
  const now = new Date()
  utimesSync(workspace, now, now)
  for (const [name, module] of Object.entries(stable)) pointAt(path.join(dist, name), path.join(workspace, module))
  // Lists the files that npm packs: the stable paths and their build.
  replaceFile(path.join(dist, '.npmignore'), `/*/\n!/lib/\n!/${build}/\n/build.json\n`)
  removeLeftovers(dist, stable)
  return build
}

function contentName(folder: string): string {
  const hash = createHash('sha256')
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }).sort(byPath)) {
    const file = path.join(entry.parentPath, entry.name)
    if (entry.isFile())
      hash
        .update(`${path.relative(folder, file)}\0`)
        .update(readFileSync(file))
        .update('\0')
  }
  return hash.digest('hex').slice(0, 12)
}

function byPath(a: Dirent, b: Dirent): number {
  return path.join(a.parentPath, a.name) < path.join(b.parentPath, b.name) ? -1 : 1
}

function pointAt(file: string, module: string): void {
  const specifier = path.relative(path.dirname(file), module)
  replaceFile(file, `export * from '${specifier.startsWith('.') ? specifier : `./${specifier}`}'\n`)
}

function removeLeftovers(dist: string, stable: Readonly<Record<string, string>>): void {
  const library = path.join(dist, 'lib')
  for (const name of existsSync(library) ? readdirSync(library) : []) {
    if (/\.(js|d\.ts)$/.test(name) && !(`lib/${name}` in stable)) rmSync(path.join(library, name))
  }
  const age = (name: string): number => statSync(path.join(dist, name)).mtimeMs
  const builds = readdirSync(dist).filter((name) => /^[0-9a-f]{12}$/.test(name))
  const inUse = buildsInUse(dist)
  const old = builds
    .sort((a, b) => age(b) - age(a))
    .slice(stored)
    .filter((name) => !inUse.has(name))
  // Folders of builds that were killed. No build takes an hour.
  const broken = readdirSync(dist).filter((name) => name.startsWith('fresh-') && Date.now() - age(name) > 3_600_000)
  // Node's compile cache belongs to earlier builds and fills itself again.
  for (const name of [...old, ...broken, 'compile-cache'])
    rmSync(path.join(dist, name), { recursive: true, force: true })
}
