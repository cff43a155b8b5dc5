// Remembers the symbolic links that a command makes, and follows them in the paths of its later parts.
import { basename, dirname, resolvePattern } from './path-patterns.ts'
import type { ShellState } from './shell-state.ts'
import { hasMarks } from './word-marks.ts'

/** `ln -s SOURCE [TARGET]`: a target that is a folder gets the link inside. */
export function noteLink(args: readonly string[], { cwds = [], links }: ShellState): void {
  if (!args.some((word) => /^-\w*s/.test(word) || word === '--symbolic')) return
  const [source, target = basename(source ?? '')] = args.filter((word) => !word.startsWith('-'))
  if (source === undefined || hasMarks(source) || hasMarks(target)) return
  for (const cwd of cwds) {
    const link = resolvePattern(target, cwd)
    for (const name of [link, resolvePattern(`${link}/${basename(source)}`, '/')])
      links.set(name, source.startsWith('/') ? source : `${dirname(name)}/${source}`)
  }
}

/** Most paths of one path, with itself, and most names in it: a path of many links takes time. */
const maxPaths = 8
const maxNames = 64

/**
 * The paths to which the command's own links in this one lead; undefined if there are too many, or names in it.
 * @param path absolute, `..` unresolved
 */
export function throughLinks(path: string, links: ShellState['links']): readonly string[] | undefined {
  if (links.size === 0) return []
  if (path.split('/').length > maxNames) return undefined
  const paths = [path]
  for (const each of paths) {
    const more = behindLinks(each, links).filter((next) => !paths.includes(next))
    if (paths.length + more.length > maxPaths) return undefined
    paths.push(...more)
  }
  return paths.slice(1)
}

/** One path for each part that is a link. */
function behindLinks(path: string, links: ShellState['links']): readonly string[] {
  const parts = path.split('/')
  return parts.flatMap((_, at) => {
    const target = at === 0 ? undefined : links.get(resolvePattern(parts.slice(0, at + 1).join('/'), '/'))
    return target === undefined ? [] : [[target, ...parts.slice(at + 1)].join('/')]
  })
}
