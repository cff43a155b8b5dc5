// Finds the files and folders that decide which programs git runs in a workspace.
// Guarantees: reads files only and runs no program; includes of any condition count, so the result is too large in
// doubt.
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import type { Dirent } from 'node:fs'
import path from 'node:path'
import { realTarget, resolvePath } from '../files/resolve-path.ts'
import { gitControlNames } from './protected-paths.ts'

export interface GitPaths {
  /** `.git` of the workspace and of repositories in it: folders, or files that lead to one. */
  readonly entries: readonly string[]
  /** Git folders: those of `entries`, of work trees and of submodules. */
  readonly folders: readonly string[]
  /**
   * Hooks, configuration and pointers in each git folder, whether they exist or not, and targets of `core.hooksPath`.
   */
  readonly control: readonly string[]
}

export interface GitSearch {
  /** Absolute, real. */
  readonly workspace: string
  readonly homeFolder: string
  /** The client's environment: `XDG_CONFIG_HOME`, `GIT_CONFIG_GLOBAL`. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Most folders whose entries are read in search of repositories. */
const maxFolders = 200
const maxDepth = 2

/** Reads the folders of the workspace down to two levels, and each configuration file once. */
export function findGitPaths(search: GitSearch): GitPaths {
  const { workspace } = search
  const entries = [path.join(workspace, '.git'), ...nestedEntries(workspace)]
  const folders = [...new Set(entries.flatMap(foldersOf))]
  const control = folders.flatMap((folder) => gitControlNames.map((name) => path.join(folder, name)))
  return { entries, folders, control: [...new Set([...control, ...hookTargets(folders, search)])] }
}

/** `.git` in folders below the workspace. */
function nestedEntries(workspace: string): readonly string[] {
  const found: string[] = []
  let level = [workspace]
  for (let depth = 0, read = 0; depth < maxDepth; depth += 1) {
    const below = level.flatMap((folder) => {
      if (read >= maxFolders) return []
      read += 1
      return entriesOf(folder)
        .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules' && entry.name !== '.git')
        .map(({ name }) => path.join(folder, name))
    })
    level = below.slice(0, maxFolders)
    found.push(...level.map((folder) => path.join(folder, '.git')).filter((entry) => statusOf(entry) !== undefined))
  }
  return found
}

/** The git folders behind a `.git`: itself or the target of its pointer, the common folder, those of submodules. */
function foldersOf(entry: string): readonly string[] {
  const status = statusOf(entry)
  const folder = status?.isFile() === true ? pointerTarget(entry) : realTarget(entry)
  if (folder === undefined) return []
  const common = textOf(path.join(folder, 'commondir'))?.trim()
  const main = common === undefined || common === '' ? [] : [realTarget(path.resolve(folder, common))]
  const inner = [folder, ...main].flatMap((each) => [
    ...innerFolders(path.join(each, 'worktrees'), 1),
    ...innerFolders(path.join(each, 'modules'), 3),
  ])
  return [folder, ...main, ...inner]
}

function pointerTarget(file: string): string | undefined {
  const target = /^gitdir:\s*(.+?)\s*$/m.exec(textOf(file) ?? '')?.[1]
  return target === undefined ? undefined : realTarget(path.resolve(path.dirname(file), target))
}

/** Folders with a `HEAD`: names of submodules may have slashes. */
function innerFolders(folder: string, depth: number): readonly string[] {
  if (depth === 0) return []
  return entriesOf(folder)
    .filter((entry) => entry.isDirectory())
    .slice(0, maxFolders)
    .flatMap(({ name }) => {
      const inner = path.join(folder, name)
      if (statusOf(path.join(inner, 'HEAD')) === undefined) return innerFolders(inner, depth - 1)
      return [inner, ...innerFolders(path.join(inner, 'modules'), depth - 1)]
    })
}

/** The targets of `core.hooksPath` in all configuration files that git may read here. */
function hookTargets(folders: readonly string[], { workspace, homeFolder, env }: GitSearch): readonly string[] {
  const xdg = env['XDG_CONFIG_HOME'] ?? path.join(homeFolder, '.config')
  const files = [
    '/etc/gitconfig',
    path.join(xdg, 'git/config'),
    path.join(homeFolder, '.gitconfig'),
    ...(env['GIT_CONFIG_GLOBAL'] === undefined ? [] : [env['GIT_CONFIG_GLOBAL']]),
    ...folders.flatMap((folder) => [path.join(folder, 'config'), path.join(folder, 'config.worktree')]),
  ]
  const visited = new Set<string>()
  const values = files.flatMap((file) => valuesIn(file, visited, homeFolder))
  return values.map((value) => realTarget(expandHome(value, homeFolder, workspace)))
}

/** Values of `hookspath` in any section of the file and of the files that it includes. */
function valuesIn(file: string, visited: Set<string>, homeFolder: string): readonly string[] {
  if (visited.has(file) || visited.size > 50) return []
  visited.add(file)
  const lines = (textOf(file) ?? '').split('\n')
  return lines.flatMap((line) => {
    const [, name = '', quoted, plain] = /(?:^|\])\s*(hookspath|path)\s*=\s*(?:"([^"]*)"|([^#;]*))/i.exec(line) ?? []
    const value = (quoted ?? plain ?? '').trim()
    if (value === '') return []
    if (name.toLowerCase() === 'hookspath') return [value]
    return valuesIn(expandHome(value, homeFolder, path.dirname(file)), visited, homeFolder)
  })
}

function expandHome(value: string, homeFolder: string, base: string): string {
  return value.startsWith('~/') ? path.join(homeFolder, value.slice(2)) : resolvePath(value, base)
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return [] // missing or not readable: git finds nothing there either
  }
}

function statusOf(file: string) {
  try {
    return lstatSync(file, { throwIfNoEntry: false })
  } catch {
    return undefined // a parent is a file or not accessible
  }
}

/** The first MiB of a regular file. */
function textOf(file: string): string | undefined {
  try {
    const status = lstatSync(realTarget(file), { throwIfNoEntry: false })
    return status?.isFile() === true && status.size < 2 ** 20 ? readFileSync(file, 'utf8') : undefined
  } catch {
    return undefined // not readable: git cannot read it either
  }
}
