// Takes a snapshot within a time limit; a skipped one gives the reason.
import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { findProgram } from '../../host/process/find-program.ts'
import { isInside } from '../../host/files/resolve-path.ts'
import type { Environment } from '../../host/files/paths.ts'
import { Failure, describeThrown } from '../../streams/values/failure.ts'
import type { SnapshotSkipped, SnapshotTaken, TakeOptions } from '../../streams/ports/snapshots.ts'
import { emptyIndex, readFolderIndex, writeFolderIndex } from './folder-index.ts'
import type { FolderIndex } from './folder-index.ts'
import { gatherFiles } from './gather-files.ts'
import type { Gathered } from './gather-files.ts'
import { TooManyFiles, maxFiles } from './list-worktree-files.ts'
import { bytesOf, pruneSnapshots } from './prune-snapshots.ts'
import { GitFailure } from './run-git.ts'
import { notesOf } from './snapshot-content.ts'
import type { SnapshotNotes } from './snapshot-notes.ts'
import { openSnapshotStore } from './snapshot-store.ts'
import type { SnapshotStore } from './snapshot-store.ts'
import { TooManyBytes, maxNewBytes, writeSnapshot } from './write-snapshot.ts'
import { isInRepository } from '../../host/files/repository-root.ts'

export interface SnapshotOptions {
  /** `$RXPI_HOME`, absolute. */
  readonly home: string
  /** The client's environment: `PATH`, `HOME` and `XDG_CONFIG_HOME` are read. */
  readonly env: Environment
}

/** Everything that snapshots of one folder need. */
export interface SnapshotWorkspace extends SnapshotOptions {
  /** Absolute path of git. */
  readonly program: string
  /** Absolute real path of the folder. */
  readonly folder: string
  readonly store: SnapshotStore
}

/** Above this size on disk no snapshot is taken: pruning has failed. */
const maxStoredBytes = 2 ** 30

/** @throws Failure `bad_request` if git is missing, `storage` */
export function openWorkspace(options: SnapshotOptions, cwd: string): SnapshotWorkspace {
  const program = findProgram('git', { searchPath: options.env['PATH'], workspace: cwd })
  if (program === undefined)
    throw new Failure('bad_request', 'git was not found; install it, or set `snapshots` to false')
  const store = openSnapshotStore(options.home, cwd)
  return { ...options, home: realpathSync(options.home), program, folder: realpathSync(cwd), store }
}

/** Rejects only with the signal's reason. */
export async function takeSnapshot(
  options: SnapshotOptions,
  { cwd, before, limitMs }: TakeOptions & { readonly limitMs: number },
  signal: AbortSignal,
): Promise<SnapshotTaken | SnapshotSkipped> {
  try {
    const work = openWorkspace(options, cwd)
    const reason = refusalReason(work)
    if (reason !== undefined) return { type: 'skipped', message: reason }
    const lateAt = performance.now() + limitMs * 0.7
    const { taken } = await attemptSnapshot(work, { before, prune: before !== undefined, lateAt, signal })
    return taken
  } catch (thrown) {
    signal.throwIfAborted()
    return { type: 'skipped', message: describeSkip(thrown) }
  }
}

interface AttemptOptions {
  /** Files ignored then are left out. */
  readonly before?: string | undefined
  /** True: prunes what exceeds the limits. */
  readonly prune?: boolean
  /** On the clock of `performance.now()`. */
  readonly lateAt: number
  readonly signal: AbortSignal
}

interface Attempt {
  readonly taken: SnapshotTaken | SnapshotSkipped
  /** Object folders of the folder's repositories. */
  readonly objects: readonly string[]
}

/** Like `takeSnapshot`, without its own limit; failures are thrown. */
export async function attemptSnapshot(
  work: SnapshotWorkspace,
  { before, prune = false, lateAt, signal }: AttemptOptions,
): Promise<Attempt> {
  const { store, program, home } = work
  const notes = before === undefined ? undefined : await notesOf(work, before, signal)
  const { gathered, index, isKnown } = await writeOrRebuild(work, notes, lateAt, signal)
  const { objects, files, skipped } = gathered
  if (!isKnown) writeFolderIndex(store.indexFile, index)
  if (index.snapshot === '') return { taken: { type: 'skipped', message: unfinished }, objects }
  store.touch(index.snapshot)
  const keep = before === undefined ? [index.snapshot] : [before, index.snapshot]
  const pruned = prune ? await pruneSnapshots({ program, store, home, objects, keep, signal }) : 0
  return {
    taken: { type: 'taken', snapshot: index.snapshot, files: files.size, notKept: skipped.length, pruned },
    objects,
  }
}

const unfinished = 'there is much to read for the first time; the next run continues it'

interface GatheredSnapshot {
  readonly gathered: Gathered
  readonly index: FolderIndex
  /** True if the index on disk is the same. */
  readonly isKnown: boolean
}

/** If an object of the index is gone, all files are read again. */
async function writeOrRebuild(
  work: SnapshotWorkspace,
  before: SnapshotNotes | undefined,
  lateAt: number,
  signal: AbortSignal,
): Promise<GatheredSnapshot> {
  const attempt = async (index: FolderIndex): Promise<GatheredSnapshot> => {
    const { program, folder, store, home, env } = work
    const alsoIgnored = before?.ignored ?? []
    const gathering = { program, folder, env, home, signal, gitDir: store.gitDir, known: index.files, alsoIgnored }
    const gathered = await gatherFiles(gathering)
    const isLate = (): boolean => performance.now() > lateAt
    const known = index.files
    const next = await writeSnapshot(gathered, { program, folder, store, index, isLate, signal })
    const isKnown =
      next.snapshot === index.snapshot && [...next.files].every(([name, file]) => known.get(name) === file)
    return { gathered, index: next, isKnown }
  }
  const index = readFolderIndex(work.store.indexFile)
  try {
    return await attempt(index)
  } catch (thrown) {
    if (index === emptyIndex || !(thrown instanceof GitFailure)) throw thrown
    return attempt(emptyIndex)
  }
}

function refusalReason({ folder, store, env }: SnapshotWorkspace): string | undefined {
  if (bytesOf(store) > maxStoredBytes)
    return `the snapshots of this folder have grown too large; remove ${path.dirname(store.gitDir)}`
  const home = env['HOME'] ?? homedir()
  if (isInside(home, folder) && !isInRepository(folder))
    return 'the folder holds your home folder and is not a git repository'
  return undefined
}

function describeSkip(thrown: unknown): string {
  if (thrown instanceof TooManyFiles) return `the folder has more than ${maxFiles.toLocaleString('en')} files`
  if (thrown instanceof TooManyBytes) return `more than ${maxNewBytes / 2 ** 20} MiB would have to be copied`
  if (thrown instanceof GitFailure) return `git says: ${thrown.message}`
  return describeThrown(thrown)
}
