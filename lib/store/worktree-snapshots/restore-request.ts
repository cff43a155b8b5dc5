// Putting back looks at the files as they are first, and afterwards says how it left them.
import { TimeoutError } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import type { RestoreRequest, RestoredFiles } from '../../streams/ports/snapshots.ts'
import { planRestore } from './plan-restore.ts'
import type { DetailedPlan } from './plan-restore.ts'
import { restoreFiles } from './restore-files.ts'
import { GitFailure } from './run-git.ts'
import { take, workplace } from './take-snapshot.ts'
import type { SnapshotPlace, Workplace } from './take-snapshot.ts'

/** Milliseconds that looking at the files, which a person asked for, may take. */
export const patience = 60_000

/** As `Snapshots.changes`. @throws what `restoreFailure` reads */
export async function planNow(
  place: SnapshotPlace,
  request: RestoreRequest,
  signal: AbortSignal,
): Promise<DetailedPlan> {
  const work = workplace(place, request.cwd)
  const { taken, objects } = await take(work, { before: request.to, lateAt: Infinity, signal })
  if (taken.type === 'skipped')
    throw new Failure('storage', `The files could not be kept as they are: ${taken.message}`)
  return planRestore(work, { ...request, now: taken.snapshot, objects, signal })
}

/** As `Snapshots.restore`. @throws what `restoreFailure` reads */
export async function restoreNow(
  place: SnapshotPlace,
  request: RestoreRequest & { readonly snapshotBefore: string },
): Promise<RestoredFiles> {
  const { signal } = new AbortController()
  const work = workplace(place, request.cwd)
  const plan = await planRestore(work, { ...request, now: request.snapshotBefore, objects: [], signal })
  const restored = await restoreFiles(work, plan, signal)
  return { ...restored, ...(await after(work, request.to, signal)) }
}

/** A Failure of whatever came. */
export function restoreFailure(thrown: unknown): Failure {
  if (thrown instanceof TimeoutError)
    return new Failure('timeout', `Looking at the files took over ${patience / 1000} s`)
  if (thrown instanceof GitFailure) return new Failure('storage', `git could not read the snapshot: ${thrown.message}`)
  return Failure.from(thrown, 'storage')
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
