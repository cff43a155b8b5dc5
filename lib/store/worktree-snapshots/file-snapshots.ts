// Takes and restores snapshots of a folder's files under $RXPI_HOME.
// Guarantees: the user's repository is only read.
import { catchError, defer, from, map, mergeMap, of, throwError, timeout } from 'rxjs'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import type { Snapshots } from '../../streams/ports/snapshots.ts'
import type { SnapshotOptions } from './take-snapshot.ts'

/** Milliseconds that a run waits for a snapshot. */
const defaultLimitMs = 2_000

/**
 * Snapshots of the files that git sees in a folder: in a repository the tracked ones and those that are neither tracked
 * nor ignored, elsewhere all that no .gitignore file names. Up to 50,000 files of up to 16 MiB each. Each folder keeps
 * its last 100 snapshots, about 256 MiB; folders without a snapshot for 30 days are removed.
 */
export function fileSnapshots(options: SnapshotOptions): Snapshots {
  return {
    take: (request) => {
      const { limitMs = defaultLimitMs } = request
      return fromAbortable(async (signal) =>
        (await loadTakeSnapshot()).takeSnapshot(options, { ...request, limitMs }, signal),
      ).pipe(
        timeout({
          first: limitMs,
          with: () => of({ type: 'skipped' as const, message: `it would have taken longer than ${limitMs / 1000} s` }),
        }),
      )
    },
    changes: (request) =>
      defer(loadRestore).pipe(
        mergeMap(({ planRestoreFromNow, timeLimitMs, restoreFailure }) =>
          fromAbortable((signal) => planRestoreFromNow(options, request, signal)).pipe(
            timeout({ first: timeLimitMs }),
            map(({ snapshotBefore, changes, conflicts, kept }) => ({ snapshotBefore, changes, conflicts, kept })),
            catchError((thrown: unknown) => throwError(() => restoreFailure(thrown))),
          ),
        ),
      ),
    compare: (request) =>
      defer(loadCompare).pipe(
        mergeMap(([{ compareWithSnapshot }, { timeLimitMs, restoreFailure }]) =>
          fromAbortable((signal) => compareWithSnapshot(options, request, signal)).pipe(
            timeout({ first: timeLimitMs }),
            catchError((thrown: unknown) => throwError(() => restoreFailure(thrown))),
          ),
        ),
      ),
    // not abortable: a partial restore would be worse than either state
    restore: (request) =>
      defer(loadRestore).pipe(
        mergeMap(({ restoreNow, restoreFailure }) =>
          from(restoreNow(options, request)).pipe(
            catchError((thrown: unknown) => throwError(() => restoreFailure(thrown))),
          ),
        ),
      ),
  }
}

// loaded on first use: most starts need neither
const loadTakeSnapshot = (): Promise<typeof import('./take-snapshot.ts')> => import('./take-snapshot.ts')
const loadRestore = (): Promise<typeof import('./restore-request.ts')> => import('./restore-request.ts')

const loadCompare = (): Promise<
  readonly [typeof import('./compare-files.ts'), typeof import('./restore-request.ts')]
> => Promise.all([import('./compare-files.ts'), loadRestore()])
