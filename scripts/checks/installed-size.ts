// Reads the installed packages from the lock file and measures each on the disk of this machine.
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'

/** Size of a direct dependency with the packages that only it needs. */
export interface Weighed {
  readonly name: string
  readonly version: string
  /** Bytes of all files. */
  readonly bytes: number
  /** Number of packages. Packages for other machines are not installed and not counted. */
  readonly packages: number
}

interface Locked {
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

type Lock = Readonly<Record<string, Locked>>

/**
 * @param names of the packages in `node_modules` that users get
 * @returns each package in that order, and the sum of all
 */
export function installedSize(root: string, names: readonly string[]): { each: readonly Weighed[]; all: Weighed } {
  const lock = (JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as { packages: Lock }).packages
  const reached = (wanted: readonly string[]): Set<string> => {
    const found = new Set<string>()
    const visit = (workspace: string | undefined): void => {
      if (workspace === undefined || found.has(workspace) || !existsSync(path.join(root, workspace))) return
      found.add(workspace)
      const { dependencies, optionalDependencies } = lock[workspace] ?? {}
      for (const name of Object.keys({ ...dependencies, ...optionalDependencies }))
        visit(workspaceOf(lock, workspace, name))
    }
    for (const name of wanted) visit(workspaceOf(lock, '', name))
    return found
  }
  const weighed = (name: string, places: ReadonlySet<string>): Weighed => ({
    name,
    version: lock[`node_modules/${name}`]?.version ?? '',
    bytes: [...places].reduce((sum, workspace) => sum + bytesIn(path.join(root, workspace)), 0),
    packages: places.size,
  })
  const each = names.map((name) => {
    const others = reached(names.filter((other) => other !== name))
    return weighed(name, new Set([...reached([name])].filter((workspace) => !others.has(workspace))))
  })
  return { each, all: weighed('', reached(names)) }
}

/** Folder in which Node finds the package. */
function workspaceOf(lock: Lock, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const workspace = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    if (workspace in lock) return workspace
    if (folder === '' || !folder.includes('/node_modules/')) {
      return `node_modules/${name}` in lock ? `node_modules/${name}` : undefined
    }
  }
}

/** Bytes of a package without the packages inside it. */
function bytesIn(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const file = path.join(folder, entry.name)
    if (entry.name === 'node_modules') return sum
    return sum + (entry.isDirectory() ? bytesIn(file) : entry.isFile() ? statSync(file).size : 0)
  }, 0)
}
