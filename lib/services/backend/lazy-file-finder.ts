// Loads the file finder with the first search.
import { EMPTY, defer, from, mergeMap, of, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { FileFinder, FileFinderOptions } from '../../tools/search/find-files.ts'

/** Loads the file finder with the first search: most servers never search. */
export function lazyFileFinder(env: FileFinderOptions['env']): FileFinder {
  let loaded: FileFinder | undefined
  const finder$ = (): Observable<FileFinder> =>
    defer(() => (loaded === undefined ? from(loadFinder(env)) : of(loaded))).pipe(tap((finder) => (loaded ??= finder)))
  return {
    find: (wanted) => finder$().pipe(mergeMap(() => loaded?.find(wanted) ?? EMPTY)),
    close: () => defer(() => loaded?.close() ?? EMPTY),
  }
}

async function loadFinder(env: FileFinderOptions['env']): Promise<FileFinder> {
  const { fileFinder } = await import('../../tools/search/find-files.ts')
  return fileFinder({ env })
}
