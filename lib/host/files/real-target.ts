// Two names of one file have one real target, whether it is there already or not: what locks and replacing a file need.
import { readlinkSync, realpathSync } from 'node:fs'
import path from 'node:path'

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
