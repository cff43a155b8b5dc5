// Finds files of a session's folder by typed letters; lists the folder once for a burst of queries.
import { EMPTY, ReplaySubject, Subject, defer, map, merge, mergeMap, share, takeLast, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import { inSlices } from '../../host/process/run-in-slices.ts'
import { BoundedMap } from '../../streams/values/bounded-map.ts'
import type { ResultOf } from '../../streams/commands/command.ts'
import { listFiles } from './list-files.ts'
import type { ListFilesOptions } from './list-files.ts'
import { go } from 'fuzzysort'

export interface FindFiles {
  /** Absolute. */
  readonly cwd: string
  /** Default: an empty query. */
  readonly query?: string | undefined
  /** Default 50. */
  readonly limit?: number | undefined
}

export interface FileFinderOptions extends Pick<ListFilesOptions, 'env' | 'program'> {
  /** Milliseconds before a listing expires. Default 3,000. */
  readonly keepMs?: number
}

export interface FileFinder {
  /** Emits once; fails with `storage`. */
  find(request: FindFiles): Observable<ResultOf<'find_files'>>
  /** Drops the cached listings. */
  close(): Observable<never>
}

interface Listing {
  readonly paths: readonly string[]
  readonly isComplete: boolean
}

/** Number of folders with a cached listing. */
const maxFolders = 4

export function fileFinder({ keepMs = 3_000, ...options }: FileFinderOptions): FileFinder {
  const listings = new BoundedMap<string, Observable<Listing>>(maxFolders)
  const closed$ = new Subject<void>()
  const listing$ = (cwd: string): Observable<Listing> => {
    const cached$ = listings.get(cwd)
    if (cached$ !== undefined) return cached$
    const shared$ = listFiles({ cwd, ...options }).pipe(
      map(({ files, isComplete }): Listing => ({ paths: [...foldersOf(files), ...files], isComplete })),
      share({
        connector: () => new ReplaySubject(1),
        resetOnComplete: () => merge(timer(keepMs), closed$),
        resetOnRefCountZero: true,
      }),
    )
    listings.set(cwd, shared$)
    return shared$
  }
  return {
    find: ({ cwd, query = '', limit = 50 }) =>
      defer(() => listing$(cwd)).pipe(
        mergeMap(({ paths, isComplete }) =>
          inSlices(() => rankPaths(paths, query, limit)).pipe(
            takeLast(1),
            map(({ best, matches }) => ({
              files: [...best],
              more: matches > best.length,
              complete: isComplete,
            })),
          ),
        ),
      ),
    close: () =>
      defer(() => {
        listings.clear()
        closed$.next()
        return EMPTY
      }),
  }
}

// Ranks paths that contain the typed letters in order; an empty query ranks the highest paths first.

/** Paths ranked in one step. */
const batchSize = 2_000

/**
 * Yields the best `limit` so far after each batch of paths, the last time of all paths. Of equal ones the shorter
 * first.
 */
function* rankPaths(
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
  for (let at = 0; at < paths.length; at += batchSize) {
    const found = go(query, paths.slice(at, at + batchSize), { limit, threshold: 0.1 })
    matches += found.total
    best = [...best, ...found].sort(byScore).slice(0, limit)
    yield { best: best.map(({ target }) => target), matches }
  }
}

/** The parent folders of the files, each once, with `/` at its end. */
function foldersOf(files: readonly string[]): string[] {
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

/** A folder has the depth of a file beside it. */
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
