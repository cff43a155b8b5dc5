// A path as a person or model writes it becomes an absolute one; nothing is looked up.
import { homedir } from 'node:os'
import path from 'node:path'
import { readlinkSync, realpathSync } from 'node:fs'

/** `~` and `~/…` are the user's home folder; what is relative is so to `cwd`. Other forms (`file:`, `~name`) are names like any other. */
export function resolvePath(written: string, cwd: string): string {
  if (written === '~' || written.startsWith('~/')) return path.join(homedir(), written.slice(1))
  return path.resolve(cwd, written)
}

// Where a path lies is decided by its names alone: no link is followed, and a name may begin with two dots.

/** Whether `place` is `folder` or lies below it; both absolute. */
export function isInside(file: string, folder: string): boolean {
  const relative = path.relative(folder, file)
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative)
}

// Two names of one file have one real target, whether it is there already or not: what locks and replacing a file need.

/** As many links as the system itself follows. */
const maxLinks = 40

/**
 * Where writing to an absolute path would go: links are followed, dangling ones too; of what is not there yet the names are
 * kept, below the real path of the nearest parent that is there. Where that cannot be found out (a loop, a folder that may
 * not be entered), the path as it is.
 */
export function realTarget(file: string): string {
  return target(path.resolve(file), maxLinks)
}

function target(file: string, links: number): string {
  const real = attempt(() => realpathSync(file))
  if (real !== undefined) return real
  const parent = path.dirname(file)
  if (parent === file) return file
  const link = attempt(() => readlinkSync(file))
  if (link === undefined || links === 0) return path.join(target(parent, links), path.basename(file))
  return target(path.resolve(target(parent, links - 1), link), links - 1)
}

function attempt(look: () => string): string | undefined {
  try {
    return look()
  } catch {
    return undefined // not there, no link, or not ours to see: the caller tries the next way
  }
}
