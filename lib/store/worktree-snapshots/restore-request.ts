// Putting back looks at the files as they are first, and afterwards says how it left them.
import { TimeoutError } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import type { RestoreRequest, RestoredFiles } from '../../streams/ports/snapshots.ts'
import { planRestore } from './plan-restore.ts'
import type { DetailedPlan, PlannedChange } from './plan-restore.ts'
import { GitFailure } from './run-git.ts'
import { attemptSnapshot, openWorkspace } from './take-snapshot.ts'
import type { SnapshotOptions, SnapshotWorkspace } from './take-snapshot.ts'
import { shownName } from './byte-name.ts'
import { removeFile, setMode, writeFile } from './restore-content.ts'
import { contentsOf, sizesOf } from './snapshot-content.ts'
import type { ContentSource } from './snapshot-content.ts'

/** Milliseconds that looking at the files, which a person asked for, may take. */
export const patience = 60_000

/** As `Snapshots.changes`. @throws what `restoreFailure` reads */
export async function planRestoreFromNow(
  options: SnapshotOptions,
  request: RestoreRequest,
  signal: AbortSignal,
): Promise<DetailedPlan> {
  const work = openWorkspace(options, request.cwd)
  const { taken, objects } = await attemptSnapshot(work, { before: request.to, lateAt: Infinity, signal })
  if (taken.type === 'skipped')
    throw new Failure('storage', `The files could not be kept as they are: ${taken.message}`)
  return planRestore(work, { ...request, now: taken.snapshot, objects, signal })
}

/** As `Snapshots.restore`. @throws what `restoreFailure` reads */
export async function restoreNow(
  options: SnapshotOptions,
  request: RestoreRequest & { readonly snapshotBefore: string },
): Promise<RestoredFiles> {
  const { signal } = new AbortController()
  const work = openWorkspace(options, request.cwd)
  const plan = await planRestore(work, { ...request, now: request.snapshotBefore, objects: [], signal })
  const restored = await restoreFiles(work, plan, signal)
  return { ...restored, ...(await snapshotAfter(work, request.to, signal)) }
}

/** A Failure of whatever came. */
export function restoreFailure(thrown: unknown): Failure {
  if (thrown instanceof TimeoutError)
    return new Failure('timeout', `Looking at the files took over ${patience / 1000} s`)
  if (thrown instanceof GitFailure) return new Failure('storage', `git could not read the snapshot: ${thrown.message}`)
  return Failure.from(thrown, 'storage')
}

/** How it left them, to tell the user's later edits from it; without that they all count as the user's. */
async function snapshotAfter(
  work: SnapshotWorkspace,
  before: string,
  signal: AbortSignal,
): Promise<Pick<RestoredFiles, 'snapshotAfter'>> {
  try {
    const { taken } = await attemptSnapshot(work, { before, lateAt: Infinity, signal })
    return taken.type === 'taken' ? { snapshotAfter: taken.snapshot } : {}
  } catch {
    return {} // the files are put back all the same; the next restoring asks for force
  }
}

// Nothing is changed before it is known that everything that is to be put back can be read.

/** So many bytes of content are in memory at a time, or one file. */
const batchBytes = 32 * 2 ** 20

/** Makes the planned changes; what fails ends it, and is told with what was put back until then. @throws Failure, GitFailure */
async function restoreFiles(
  work: SnapshotWorkspace,
  { planned, objects }: Pick<DetailedPlan, 'planned' | 'objects'>,
  signal: AbortSignal,
): Promise<RestoredFiles> {
  const source = { ...work, objects }
  const batches = await readBatches(source, planned, signal)
  const paths: string[] = []
  const addPath = ({ name }: PlannedChange): number => paths.push(shownName(name))
  try {
    const removals = planned.filter(({ change }) => change === 'remove')
    for (const change of removals.sort((one, other) => other.name.length - one.name.length)) {
      removeFile(work.folder, change.name)
      addPath(change)
    }
    for (const batch of batches) {
      const oids = [...new Set(batch.map(({ oid }) => oid))].filter((oid) => oid !== '')
      const contents = oids.length === 0 ? new Map<string, Buffer>() : await contentsOf(source, oids, signal)
      for (const change of batch) {
        const content = contents.get(change.oid)
        if (content === undefined) setMode(work.folder, change)
        else writeFile(work.folder, change, content)
        addPath(change)
      }
    }
    return { paths }
  } catch (thrown) {
    return { paths, failure: Failure.from(thrown, 'storage') }
  }
}

/** What is to be written, in batches; fails where some of it is gone. */
async function readBatches(
  source: ContentSource,
  planned: readonly PlannedChange[],
  signal: AbortSignal,
): Promise<PlannedChange[][]> {
  const writes = planned.filter(({ change }) => change !== 'remove')
  const oids = [...new Set(writes.map(({ oid }) => oid))].filter((oid) => oid !== '')
  const sizes = oids.length === 0 ? new Map<string, number>() : await sizesOf(source, oids, signal)
  const gone = writes.filter(({ oid }) => oid !== '' && !sizes.has(oid))
  if (gone.length > 0) throw goneFailure(gone)
  const batches: PlannedChange[][] = []
  let left = 0
  for (const change of writes) {
    const size = sizes.get(change.oid) ?? 0
    if (size > left || batches.length === 0) {
      batches.push([])
      left = batchBytes
    }
    batches.at(-1)?.push(change)
    left -= size
  }
  return batches
}

function goneFailure(gone: readonly PlannedChange[]): Failure {
  const named = gone.slice(0, 5).map(({ name }) => shownName(name))
  const more = gone.length > named.length ? ` and ${gone.length - named.length} more` : ''
  return new Failure(
    'storage',
    `Nothing was put back: the content of ${named.join(', ')}${more} is gone from the repository's own objects, which rxpi does not copy`,
  )
}
