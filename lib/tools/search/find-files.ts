// Files of a session's folder are found by what was typed of their names; the folder is listed once for a burst of questions.
import { EMPTY, ReplaySubject, Subject, defer, map, merge, mergeMap, share, takeLast, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import { inSlices } from '../../host/process/run-in-slices.ts'
import { BoundedMap } from '../../streams/values/bounded-map.ts'
import type { ResultOf } from '../../streams/commands/command.ts'
import { listFiles } from './list-files.ts'
import type { ListFilesOptions } from './list-files.ts'
import { foldersOf, rankPaths } from './rank-paths.ts'

export interface FindFiles {
  /** Absolute. */
  readonly cwd: string
  /** Default: nothing was typed. */
  readonly query?: string | undefined
  /** Default 50. */
  readonly limit?: number | undefined
}

export interface FileFinderOptions extends Pick<ListFilesOptions, 'env' | 'program'> {
  /** Milliseconds for which a listing is good. Default 3,000. */
  readonly keepMs?: number
}

export interface FileFinder {
  /** Emits once; fails with `storage`. */
  find(wanted: FindFiles): Observable<ResultOf<'find_files'>>
  /** Forgets what it has listed. */
  close(): Observable<never>
}

interface Listing {
  readonly paths: readonly string[]
  readonly isComplete: boolean
}

/** Folders whose listing is kept at a time. */
const mostFolders = 4

export function fileFinder({ keepMs = 3_000, ...options }: FileFinderOptions): FileFinder {
  const listings = new BoundedMap<string, Observable<Listing>>(mostFolders)
  const closed$ = new Subject<void>()
  const listing$ = (cwd: string): Observable<Listing> => {
    const known$ = listings.get(cwd)
    if (known$ !== undefined) return known$
    const own$ = listFiles({ cwd, ...options }).pipe(
      map(({ files, isComplete }): Listing => ({ paths: [...foldersOf(files), ...files], isComplete })),
      share({
        connector: () => new ReplaySubject(1),
        resetOnComplete: () => merge(timer(keepMs), closed$),
        resetOnRefCountZero: true,
      }),
    )
    listings.set(cwd, own$)
    return own$
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
