// The files of a folder are kept under $RXPI_HOME and put back from there; the user's repository is only ever read.
import { TimeoutError, catchError, defer, from, map, of, throwError, timeout } from 'rxjs'
import { Failure } from '../../streams/failure.ts'
import { fromAbortable } from '../../streams/from-abortable.ts'
import type { RestoreRequest, RestoredFiles, Snapshots } from '../../streams/snapshots.ts'
import { planRestore } from './plan-restore.ts'
import type { DetailedPlan } from './plan-restore.ts'
import { restoreFiles } from './restore-files.ts'
import { GitFailure } from './run-git.ts'
import { defaultLimitMs, take, takeSnapshot, tooSlow, workplace } from './take-snapshot.ts'
import type { SnapshotPlace, Workplace } from './take-snapshot.ts'

/** Milliseconds that putting back, which a person asked for, may look at the files. */
const patience = 60_000

/**
 * Snapshots of what git counts as a folder's files: in a repository the tracked ones and those that are neither tracked nor
 * ignored, elsewhere all but those that .gitignore files name. Up to 50,000 files of up to 16 MiB each. Kept per folder: the
 * last 100 snapshots, about 256 MiB; folders without one for 30 days are forgotten.
 */
export function fileSnapshots(place: SnapshotPlace): Snapshots {
  return {
    take: (options) => {
      const { limitMs = defaultLimitMs } = options
      return fromAbortable((signal) => takeSnapshot(place, options, signal)).pipe(
        timeout({ first: limitMs, with: () => of(tooSlow(limitMs)) }),
      )
    },
    changes: (request) =>
      fromAbortable((signal) => plannedNow(place, request, signal)).pipe(
        timeout({ first: patience }),
        map(({ snapshotBefore, changes, conflicts, kept }) => ({ snapshotBefore, changes, conflicts, kept })),
        catchError((thrown: unknown) => throwError(() => told(thrown))),
      ),
    // not abortable: half of it would be worse than either
    restore: (request) =>
      defer(() => from(restore(place, request))).pipe(catchError((thrown: unknown) => throwError(() => told(thrown)))),
  }
}

async function plannedNow(place: SnapshotPlace, request: RestoreRequest, signal: AbortSignal): Promise<DetailedPlan> {
  const work = workplace(place, request.cwd)
  const { taken, objects } = await take(work, { before: request.to, lateAt: Infinity, signal })
  if (taken.type === 'skipped')
    throw new Failure('storage', `The files could not be kept as they are: ${taken.message}`)
  return planRestore(work, { ...request, now: taken.snapshot, objects, signal })
}

async function restore(
  place: SnapshotPlace,
  request: RestoreRequest & { readonly snapshotBefore: string },
): Promise<RestoredFiles> {
  const { signal } = new AbortController()
  const work = workplace(place, request.cwd)
  const plan = await planRestore(work, { ...request, now: request.snapshotBefore, objects: [], signal })
  const restored = await restoreFiles(work, plan, signal)
  return { ...restored, ...(await after(work, request.to, signal)) }
}

/** How it left them, to tell the user's later edits from it; without that they all count as the user's. */
async function after(
  work: Workplace,
  before: string,
  signal: AbortSignal,
): Promise<Pick<RestoredFiles, 'snapshotAfter'>> {
  try {
    const { taken } = await take(work, { before, lateAt: Infinity, signal })
    return taken.type === 'taken' ? { snapshotAfter: taken.snapshot } : {}
  } catch {
    return {} // the files are put back all the same; the next restoring asks for force
  }
}

function told(thrown: unknown): Failure {
  if (thrown instanceof TimeoutError)
    return new Failure('timeout', `Looking at the files took over ${patience / 1000} s`)
  if (thrown instanceof GitFailure) return new Failure('storage', `git could not read the snapshot: ${thrown.message}`)
  return Failure.from(thrown, 'storage')
}
