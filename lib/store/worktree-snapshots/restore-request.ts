// Handles a restore request: snapshots the files, restores them, and snapshots the result.
// Guarantees: nothing changes before all content to restore is known to be readable.
import { TimeoutError } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import type { RestoreRequest, RestoredFiles } from '../../streams/ports/snapshots.ts'
import { planRestore } from './plan-restore.ts'
import type { DetailedPlan, PlannedChange } from './plan-restore.ts'
import { GitFailure } from './run-git.ts'
import { attemptSnapshot, openWorkspace } from './take-snapshot.ts'
import type { SnapshotOptions, SnapshotWorkspace } from './take-snapshot.ts'
import { shownName, parentOf } from './byte-name.ts'
import { contentsOf, sizesOf } from './snapshot-content.ts'
import type { ContentSource } from './snapshot-content.ts'
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { errnoOf, storageFailure } from '../../host/files/storage-failure.ts'
import { randomIds } from '../../streams/values/identifiers.ts'
import type { ByteName } from './byte-name.ts'
import { absolutePath, realFolders, statusOf } from './read-file-states.ts'

/** Most milliseconds to read the files for a requested plan. */
export const timeLimitMs = 60_000

/** See `Snapshots.changes`. @throws what `restoreFailure` converts */
export async function planRestoreFromNow(
  options: SnapshotOptions,
  request: RestoreRequest,
  signal: AbortSignal,
): Promise<DetailedPlan> {
  const work = openWorkspace(options, request.cwd)
  const { taken, objects } = await attemptSnapshot(work, { before: request.to, lateAt: Infinity, signal })
  if (taken.type === 'skipped') throw new Failure('storage', `The current files could not be saved: ${taken.message}`)
  return planRestore(work, { ...request, now: taken.snapshot, objects, signal })
}

/** See `Snapshots.restore`. @throws what `restoreFailure` converts */
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

/** Any error as a Failure. */
export function restoreFailure(thrown: unknown): Failure {
  if (thrown instanceof TimeoutError)
    return new Failure('timeout', `Reading the files took over ${timeLimitMs / 1000} s`)
  if (thrown instanceof GitFailure) return new Failure('storage', `git could not read the snapshot: ${thrown.message}`)
  return Failure.from(thrown, 'storage')
}

/** Snapshots the result, to recognise later edits of the user; without it every difference counts as the user's. */
async function snapshotAfter(
  work: SnapshotWorkspace,
  before: string,
  signal: AbortSignal,
): Promise<Pick<RestoredFiles, 'snapshotAfter'>> {
  try {
    const { taken } = await attemptSnapshot(work, { before, lateAt: Infinity, signal })
    return taken.type === 'taken' ? { snapshotAfter: taken.snapshot } : {}
  } catch {
    return {} // the files are restored anyway; the next restore asks for force
  }
}

// Restores files in batches of bounded size.

/** Bytes of content in memory at a time, or one file. */
const batchBytes = 32 * 2 ** 20

/**
 * Makes the planned changes; stops at the first failure, which names the files restored so far. @throws Failure,
 * GitFailure
 */
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

/** The files to write, in batches; fails if some content is gone. */
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
    `Nothing was restored: the content of ${named.join(', ')}${more} is gone from the repository's own objects, which rxpi does not copy`,
  )
}

/** Removes a file, and the folders above it that become empty. @throws Failure `storage` */
export function removeFile(folder: string, name: ByteName): void {
  attempt('remove', name, () => {
    if (!realFolders(folder)(parentOf(name))) return // already removed with a folder above it
    if (statusOf(absolutePath(folder, name)) !== undefined) unlinkSync(absolutePath(folder, name))
    for (let above = parentOf(name); above !== ''; above = parentOf(above)) if (!removeEmpty(folder, above)) break
  })
}

/**
 * Writes a file or a symbolic link with its permissions atomically; creates folders as needed. @throws Failure
 * `storage`
 */
export function writeFile(folder: string, { name, isLink, mode }: PlannedChange, content: Buffer): void {
  attempt('restore', name, () => {
    makeFolders(folder, parentOf(name))
    if (statusOf(absolutePath(folder, name))?.isDirectory() === true) removeEmpty(folder, name)
    const beside = absolutePath(folder, besideOf(name))
    try {
      if (isLink) symlinkSync(content, beside)
      else writeBeside(beside, content, mode, absolutePath(folder, name))
      renameSync(beside, absolutePath(folder, name))
    } catch (thrown) {
      rmSync(beside, { force: true })
      throw thrown
    }
  })
}

/** Sets a regular file's permissions. @throws Failure `storage` */
export function setMode(folder: string, { name, mode }: PlannedChange): void {
  attempt('set the permissions of', name, () => {
    const file = absolutePath(folder, name)
    const isThere = realFolders(folder)(parentOf(name)) && statusOf(file)?.isFile() === true
    if (isThere) chmodSync(file, mode)
  })
}

function writeBeside(beside: string | Buffer, content: Buffer, mode: number, file: string | Buffer): void {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants
  const descriptor = openSync(beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  try {
    writeFileSync(descriptor, content)
    const before = statusOf(file)
    if (before?.isFile() === true && process.geteuid?.() === 0) fchownSync(descriptor, before.uid, before.gid)
    fchmodSync(descriptor, mode)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function besideOf(name: ByteName): ByteName {
  const parent = parentOf(name)
  return `${parent === '' ? '' : `${parent}/`}.rxpi-${randomIds().short()}`
}

function makeFolders(folder: string, name: ByteName): void {
  if (name === '') return
  makeFolders(folder, parentOf(name))
  const status = statusOf(absolutePath(folder, name))
  if (status === undefined) mkdirSync(absolutePath(folder, name))
  else if (!status.isDirectory()) throw new Failure('storage', `${shownName(name)} is not a folder`)
}

/** False if it is not empty, or missing. */
function removeEmpty(folder: string, name: ByteName): boolean {
  try {
    rmdirSync(absolutePath(folder, name))
    return true
  } catch (thrown) {
    if (['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR', 'EBUSY', 'EACCES'].includes(errnoOf(thrown) ?? '')) return false
    throw thrown
  }
}

function attempt(act: string, name: ByteName, work: () => void): void {
  try {
    work()
  } catch (thrown) {
    throw storageFailure(`${act} ${shownName(name)}`, thrown)
  }
}
