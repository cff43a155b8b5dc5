// What was typed finds paths whose letters come in its order, the best first; nothing typed finds what lies highest.
import { go } from 'fuzzysort'

/** Paths looked at in one step. */
const portion = 2_000

/**
 * Yields the best `limit` so far after each portion of the paths, the last time of all of them. Equal ones: the shorter first.
 */
export function* rankPaths(
  paths: readonly string[],
  query: string,
  limit: number,
): Generator<{ readonly best: readonly string[]; readonly matches: number }, void> {
  if (query === '') {
    yield { best: paths.toSorted(byDepth).slice(0, limit), matches: paths.length }
    return
  }
  let best: readonly { readonly score: number; readonly target: string }[] = []
  let matches = 0
  yield { best: [], matches }
  for (let at = 0; at < paths.length; at += portion) {
    const found = go(query, paths.slice(at, at + portion), { limit, threshold: 0.1 })
    matches += found.total
    best = [...best, ...found].sort(byScore).slice(0, limit)
    yield { best: best.map(({ target }) => target), matches }
  }
}

/** The folders on the way to the files, each once, with `/` at its end. */
export function foldersOf(files: readonly string[]): string[] {
  const folders = new Set<string>()
  for (const file of files) {
    for (let at = file.lastIndexOf('/'); at > 0; at = file.lastIndexOf('/', at - 1)) {
      const folder = file.slice(0, at + 1)
      if (folders.has(folder)) break
      folders.add(folder)
    }
  }
  return [...folders]
}

function byDepth(one: string, other: string): number {
  return depth(one) - depth(other) || (one < other ? -1 : 1)
}

/** A folder lies as high as a file beside it. */
function depth(path: string): number {
  let count = 0
  for (let at = path.indexOf('/'); at >= 0 && at < path.length - 1; at = path.indexOf('/', at + 1)) count += 1
  return count
}

interface Ranked {
  readonly score: number
  readonly target: string
}

function byScore(one: Ranked, other: Ranked): number {
  return other.score - one.score || one.target.length - other.target.length || (one.target < other.target ? -1 : 1)
}
