// Resolves paths written by a person or a model: absolute form, containment, and the real target.
import { homedir } from 'node:os'
import path from 'node:path'
import { lstatSync, readlinkSync, realpathSync } from 'node:fs'

/**
 * `~` and `~/…` mean the user's home folder; relative paths are relative to `cwd`. Other forms (`file:`, `~name`) are
 * plain names.
 */
export function resolvePath(written: string, cwd: string): string {
  if (written === '~' || written.startsWith('~/')) return path.join(homedir(), written.slice(1))
  return path.resolve(cwd, written)
}

/**
 * True if `file` is `folder` or lies below it; both absolute. Decides by the names alone: it follows no link, and a
 * name may begin with two dots.
 */
export function isInside(file: string, folder: string): boolean {
  const relative = path.relative(folder, file)
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative)
}

// Two names of one file have one real target, whether it exists or not. Locks and replacement need it.

/** The system's own limit of links. */
const maxLinks = 40

/**
 * The target of a write to an absolute path: follows links, dangling ones too; missing parts keep their names below the
 * real path of the nearest existing parent. If it cannot be resolved (a loop, a folder without access), the path
 * itself.
 */
export function realTarget(file: string): string {
  return target(path.resolve(file), maxLinks)
}

/**
 * The target of an absolute path as the kernel takes it: `..` behind a link leaves the folder to which the link leads. `realTarget`
 * resolves `..` as text first, as the file tools do.
 */
export function climbedTarget(file: string): string {
  let real = '/'
  for (const part of file.split('/')) {
    if (part === '' || part === '.') continue
    real = part === '..' ? path.dirname(real) : realTarget(path.join(real, part))
  }
  return real
}

function target(file: string, links: number): string {
  const status = attempt(() => lstatSync(file, { throwIfNoEntry: false })) // an exception would cost ten times as much
  const real = status === undefined ? undefined : attempt(() => realpathSync.native(file))
  if (real !== undefined) return real
  const parent = path.dirname(file)
  if (parent === file) return file
  const link = status?.isSymbolicLink() === true ? attempt(() => readlinkSync(file)) : undefined
  if (link === undefined || links === 0) return path.join(target(parent, links), path.basename(file))
  return target(path.resolve(target(parent, links - 1), link), links - 1)
}

function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch {
    return undefined // missing, no link, or not accessible: the caller tries the next way
  }
}
