// Plans the mounts of a sandbox: what is writable, read-only, replaced and hidden.
// Guarantees: a mount precedes those inside it, whatever the workspace is: a home, a folder in /tmp, a hidden folder.
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import path from 'node:path'
import { isInside, realTarget } from '../files/resolve-path.ts'
import { findGitPaths } from './git-paths.ts'
import { credentialPaths, isStartUpFile, startUpNames, startUpPaths } from './protected-paths.ts'
import type { SandboxProfile } from './sandbox-profile.ts'

/**
 * `write` and `read` bind the path itself, `placeholder` as `read` if it is still there, `temp` binds the temporary
 * folder there, `empty` an empty folder that can be written, `hide-folder` one that cannot, `hide-file` a device
 * without access.
 */
export interface Mount {
  readonly path: string
  readonly kind: 'write' | 'read' | 'placeholder' | 'temp' | 'empty' | 'hide-folder' | 'hide-file'
}

export interface MountPlan {
  readonly mounts: readonly Mount[]
  /** Folders that must exist while the sandbox runs, so that nothing else is created there: `.rxpi`, `.git`. */
  readonly placeholders: readonly string[]
  /** Paths that may not appear or change their target: what cannot be mounted over. `ask`: only reported. */
  readonly guarded: readonly GuardedPath[]
}

export interface GuardedPath {
  readonly path: string
  readonly protection: 'deny' | 'ask'
  /** The link that is there now. */
  readonly linksTo?: string
}

/** Reads the disk: links, git's configuration, Unix sockets. @param env the client's environment */
export function planMounts(profile: SandboxProfile, env: Readonly<Record<string, string>>): MountPlan {
  const { workspace, name, readable = [], writable = [] } = profile
  const roots = name === 'workspace' ? [workspace, ...writable] : []
  const isWritable = (file: string): boolean => roots.some((folder) => isInside(file, folder))
  const protection = planProtection(profile, env, isWritable)
  const opened: Mount[] = [
    ...replacedFolders(env),
    { path: '/tmp', kind: 'temp' },
    { path: workspace, kind: name === 'workspace' ? 'write' : 'read' },
    ...readable.filter(exists).map((folder): Mount => ({ path: folder, kind: 'read' })),
    ...roots
      .slice(1)
      .filter(exists)
      .map((folder): Mount => ({ path: folder, kind: 'write' })),
  ]
  const { hidden: more = [], rxpiFolders, homeFolder } = profile
  const hidden = [...rxpiFolders, ...credentialPaths(homeFolder), ...more].map(realTarget).flatMap(hide)
  const mounts = removeCovered([...opened, ...hidden, ...protection.mounts])
  const sockets = socketMounts(listeningSockets(), profile, mounts)
  return { ...protection, mounts: removeCovered([...mounts, ...sockets]) }
}

function hide(file: string): readonly Mount[] {
  const status = statusOf(file)
  if (status === undefined) return []
  return [{ path: file, kind: status.isDirectory() ? 'hide-folder' : 'hide-file' }]
}

/** Folders with the sockets of the system and of other programs. */
function replacedFolders(env: Readonly<Record<string, string>>): readonly Mount[] {
  const runtime = env['XDG_RUNTIME_DIR']
  const folders = [
    '/run',
    '/var/run',
    '/var/tmp',
    ...(runtime !== undefined && path.isAbsolute(runtime) ? [runtime] : []),
  ]
  const replaced = [...new Set(folders.map(realTarget))].filter((folder) => statusOf(folder)?.isDirectory() === true)
  const needed = ['/run/current-system', '/run/opengl-driver'].filter((file) => statusOf(file) !== undefined)
  return [
    ...replaced
      .filter((folder) => folder !== '/tmp' && folder !== '/')
      .map((folder): Mount => ({ path: folder, kind: 'empty' })),
    ...needed.map((file): Mount => ({ path: file, kind: 'read' })),
  ]
}

type Protection = Omit<MountPlan, 'mounts'> & { readonly mounts: readonly Mount[] }

/** Inside what is writable: git's control files, `.rxpi`, start-up files; and credentials that do not exist yet. */
function planProtection(
  { workspace, homeFolder, rxpiFolders, writable = [] }: SandboxProfile,
  env: Readonly<Record<string, string>>,
  isWritable: (file: string) => boolean,
): Protection {
  const git = findGitPaths({ workspace, homeFolder, env })
  const ownGit = path.join(workspace, '.git')
  const reserved = [path.join(workspace, '.rxpi'), ownGit, ...git.folders.map((folder) => path.join(folder, 'hooks'))]
  const placeholders = [...new Set(reserved)].filter(
    (file) => isWritable(file) && (!exists(file) || isEmptyFolder(file)),
  )
  const denied = [path.join(workspace, '.rxpi'), ...git.control, ...rxpiFolders, ...credentialPaths(homeFolder)]
  const requested = [
    ...startUpNames.map((name) => path.join(workspace, name)),
    ...[...startUpPaths, ...startUpNames].map((name) => path.join(homeFolder, name)),
  ]
  const protections = new Map<string, GuardedPath['protection']>([
    ...requested.map((file) => [file, isHomeStartUp(file, homeFolder) ? 'deny' : 'ask'] as const),
    ...denied.map((file) => [file, 'deny'] as const),
  ])
  const found = [...protections].filter(([file]) => isWritable(file) && !isInside(workspace, file))
  // a new folder `.git` is one placeholder: what it could hold needs no own one
  const outer = placeholders.filter((file) => !placeholders.some((other) => other !== file && isInside(file, other)))
  const uncovered = found.filter(([file]) => !outer.some((folder) => isInside(file, folder)))
  const mounted = uncovered.flatMap(([file]) => readMounts(file, isWritable))
  const pins = [...mounted.map(({ path: file }) => file), ...outer].flatMap((file) =>
    [workspace, ...writable].flatMap((root) => parentsBelow(file, root)),
  )
  return {
    placeholders: outer,
    guarded: uncovered.flatMap(([file, protection]) => guard(file, protection)),
    mounts: [
      ...pins.map((file): Mount => ({ path: file, kind: 'write' })),
      ...git.entries.filter(isWritable).flatMap((file): readonly Mount[] => pinEntry(file)),
      ...mounted,
      ...outer.map((file): Mount => ({ path: file, kind: 'placeholder' })),
    ],
  }
}

/** A placeholder of another command, or of one that was killed. */
function isEmptyFolder(file: string): boolean {
  try {
    return lstatSync(file).isDirectory() && readdirSync(file).length === 0
  } catch {
    return false // no folder, or not readable
  }
}

function isHomeStartUp(file: string, homeFolder: string): boolean {
  return path.dirname(file) === homeFolder && !file.endsWith('/.envrc') && isStartUpFile(file, { homeFolder })
}

/** Credentials are hidden by their own mounts, so only what exists and is not a link is bound here. */
function readMounts(file: string, isWritable: (file: string) => boolean): readonly Mount[] {
  const real = realTarget(file)
  return exists(real) && isWritable(real) ? [{ path: real, kind: 'read' }] : []
}

/** A folder `.git` cannot be renamed while it is a mount; a file `.git` leads git elsewhere and stays as it is. */
function pinEntry(file: string): readonly Mount[] {
  const status = statusOf(file)
  if (status === undefined || status.isSymbolicLink()) return []
  return [{ path: file, kind: status.isDirectory() ? 'write' : 'read' }]
}

/** A parent that is not a mount could be renamed, and the protected path created anew. */
function parentsBelow(file: string, root: string): readonly string[] {
  if (!isInside(file, root)) return []
  const parents: string[] = []
  for (let parent = path.dirname(file); parent !== root && isInside(parent, root); parent = path.dirname(parent))
    parents.push(parent)
  return parents
}

function guard(file: string, protection: GuardedPath['protection']): readonly GuardedPath[] {
  const status = statusOf(file)
  if (status === undefined) return [{ path: file, protection }]
  return status.isSymbolicLink() ? [{ path: file, protection, linksTo: readlinkSync(file) }] : []
}

/** A command line has a limit. */
const maxSockets = 200

/** Hides the Unix sockets that would be visible inside: the limit counts none that another mount covers. @param mounts sorted */
export function socketMounts(
  sockets: readonly string[],
  { workspace, temp }: Pick<SandboxProfile, 'workspace' | 'temp'>,
  mounts: readonly Mount[],
): readonly Mount[] {
  return sockets
    .filter((file) => ![workspace, temp].some((folder) => isInside(file, folder)) && !isCovered(file, mounts))
    .slice(0, maxSockets)
    .map((file): Mount => ({ path: file, kind: 'hide-file' }))
}

/** The sockets that listen now, wherever they are. */
function listeningSockets(): readonly string[] {
  try {
    const lines = readFileSync('/proc/net/unix', 'utf8').split('\n').slice(1)
    const names = lines.flatMap((line) => /^(?:\S+\s+){7}(\/.+)$/.exec(line)?.[1] ?? [])
    return [...new Set(names)].filter((file) => statusOf(file)?.isSocket() === true).map(realTarget)
  } catch {
    return [] // not Linux, or /proc is closed: the replaced folders hold the usual sockets
  }
}

/** Sorts the mounts; of several for one path the strictest stays. Removes what a hidden or replaced folder covers. */
function removeCovered(mounts: readonly Mount[]): readonly Mount[] {
  const byPath = new Map<string, Mount>()
  for (const mount of mounts) {
    const known = byPath.get(mount.path)
    if (known === undefined || strictness.indexOf(mount.kind) > strictness.indexOf(known.kind))
      byPath.set(mount.path, mount)
  }
  const sorted = [...byPath.values()].sort((one, other) => compareParts(one.path, other.path))
  const opens = new Set<Mount['kind']>(['write', 'read', 'placeholder', 'temp', 'empty'])
  return sorted.filter((mount, index) => opens.has(mount.kind) || !isCovered(mount.path, sorted.slice(0, index)))
}

/** True if the innermost mount around the path shows nothing of what is there outside. @param mounts sorted */
function isCovered(file: string, mounts: readonly Mount[]): boolean {
  const around = mounts.findLast((other) => isInside(file, other.path))
  return around !== undefined && around.kind !== 'write' && around.kind !== 'read'
}

const strictness: readonly Mount['kind'][] = [
  'write',
  'read',
  'placeholder',
  'empty',
  'temp',
  'hide-file',
  'hide-folder',
]

function compareParts(one: string, other: string): number {
  return one.replaceAll('/', '\0') < other.replaceAll('/', '\0') ? -1 : 1
}

function exists(file: string): boolean {
  return statusOf(file) !== undefined
}

function statusOf(file: string) {
  try {
    return lstatSync(file, { throwIfNoEntry: false })
  } catch {
    return undefined // a parent is a file, or not accessible
  }
}
