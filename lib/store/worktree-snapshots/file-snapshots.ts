// The files of a folder are kept under $RXPI_HOME and put back from there; the user's repository is only ever read.
import { catchError, defer, from, map, mergeMap, of, throwError, timeout } from 'rxjs'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import type { Snapshots } from '../../streams/ports/snapshots.ts'
import type { SnapshotPlace } from './take-snapshot.ts'

/** Milliseconds that a run waits. */
const defaultLimitMs = 2_000

/**
 * Snapshots of what git counts as a folder's files: in a repository the tracked ones and those that are neither tracked nor
 * ignored, elsewhere all but those that .gitignore files name. Up to 50,000 files of up to 16 MiB each. Kept per folder: the
 * last 100 snapshots, about 256 MiB; folders without one for 30 days are forgotten.
 */
export function fileSnapshots(place: SnapshotPlace): Snapshots {
  return {
    take: (options) => {
      const { limitMs = defaultLimitMs } = options
      return fromAbortable(async (signal) =>
        (await taking()).takeSnapshot(place, { ...options, limitMs }, signal),
      ).pipe(
        timeout({
          first: limitMs,
          with: () => of({ type: 'skipped' as const, message: `it would have taken longer than ${limitMs / 1000} s` }),
        }),
      )
    },
    changes: (request) =>
      defer(restoring).pipe(
        mergeMap(({ planNow, patience, restoreFailure }) =>
          fromAbortable((signal) => planNow(place, request, signal)).pipe(
            timeout({ first: patience }),
            map(({ snapshotBefore, changes, conflicts, kept }) => ({ snapshotBefore, changes, conflicts, kept })),
            catchError((thrown: unknown) => throwError(() => restoreFailure(thrown))),
          ),
        ),
      ),
    compare: (request) =>
      defer(comparing).pipe(
        mergeMap(([{ compareNow }, { patience, restoreFailure }]) =>
          fromAbortable((signal) => compareNow(place, request, signal)).pipe(
            timeout({ first: patience }),
            catchError((thrown: unknown) => throwError(() => restoreFailure(thrown))),
          ),
        ),
      ),
    // not abortable: half of it would be worse than either
    restore: (request) =>
      defer(restoring).pipe(
        mergeMap(({ restoreNow, restoreFailure }) =>
          from(restoreNow(place, request)).pipe(
            catchError((thrown: unknown) => throwError(() => restoreFailure(thrown))),
          ),
        ),
      ),
  }
}

// loaded when they are wanted first: most starts want neither
const taking = (): Promise<typeof import('./take-snapshot.ts')> => import('./take-snapshot.ts')
const restoring = (): Promise<typeof import('./restore-request.ts')> => import('./restore-request.ts')

const comparing = (): Promise<readonly [typeof import('./compare-files.ts'), typeof import('./restore-request.ts')]> =>
  Promise.all([import('./compare-files.ts'), restoring()])
