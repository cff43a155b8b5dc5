// Removes the oldest snapshots of a folder, and of all folders, beyond the limits.
// Guarantees: the two snapshots of the last run stay.
import { readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { errnoOf } from '../../host/files/storage-failure.ts'
import { storeCall } from './git-calls.ts'
import { GitFailure, runGit } from './run-git.ts'
import { snapshotsFolder } from './snapshot-store.ts'
import type { SnapshotStore } from './snapshot-store.ts'

export interface PruneOptions {
  readonly program: string
  readonly store: SnapshotStore
  readonly home: string
  /** Object folders of the folder's repositories. */
  readonly objects: readonly string[]
  /** Snapshots that stay. */
  readonly keep: readonly string[]
  readonly signal: AbortSignal
}

/** Of one folder. */
export const maxSnapshots = 100
const maxFolderBytes = 256 * 2 ** 20
const maxPacks = 50
/** Of all folders together. */
const maxBytes = 2 * 2 ** 30
/** Milliseconds after which an unused folder's snapshots are removed: 30 days. */
const maxAge = 30 * 24 * 60 * 60 * 1000

/**
 * Removes what exceeds the limits; returns the number of removed snapshots of this folder. @throws the signal's reason
 */
export async function pruneSnapshots(options: PruneOptions): Promise<number> {
  const { store, keep } = options
  const packs = packFolder(store.gitDir)
  const names = store.list().filter((name) => !keep.includes(name))
  const isLarge = sizeOf(packs) > maxFolderBytes
  const excess = isLarge ? Math.ceil(names.length / 2) : names.length + keep.length - maxSnapshots
  const removed = names.slice(0, Math.max(0, excess))
  for (const name of removed) rmSync(store.fileOf(name), { force: true })
  dropUnused(options)
  if (!isLarge && readdirSync(packs).filter(isPack).length <= maxPacks) return removed.length
  if (await repackSnapshots(options)) return removed.length
  // an object of an old snapshot disappeared with the user's repository: newer ones are complete
  const rest = store.list().filter((name) => !keep.includes(name))
  for (const name of rest) rmSync(store.fileOf(name), { force: true })
  await repackSnapshots(options)
  return removed.length + rest.length
}

/** Size of one folder's snapshots in bytes. */
export function bytesOf(store: SnapshotStore): number {
  return sizeOf(packFolder(store.gitDir))
}

/** Replaces many packs by one, without the objects that no snapshot uses. */
async function repackSnapshots({ program, store, objects, signal }: PruneOptions): Promise<boolean> {
  for (const name of readdirSync(store.gitDir).filter((name) => name.startsWith('fast_import_crash_')))
    rmSync(path.join(store.gitDir, name), { force: true })
  try {
    const call = storeCall(['repack', '-a', '-d', '-l', '-q'], store.gitDir, objects)
    await runGit({ program, ...call, cwd: store.gitDir, signal })
    return true
  } catch (thrown) {
    if (thrown instanceof GitFailure) return false
    throw thrown
  }
}

/** Removes the snapshots of other folders, if unused for long or if the total is too large. */
function dropUnused({ home, store }: PruneOptions): void {
  const all = snapshotsFolder(home)
  const own = path.basename(path.dirname(store.gitDir))
  const folders = readdirSync(all).map((name) => {
    const gitDir = path.join(all, name, 'git')
    const usedAt = statSync(path.join(gitDir, 'refs', 'snapshots'), { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    return { name, usedAt, bytes: sizeOf(packFolder(gitDir)) }
  })
  let total = folders.reduce((sum, { bytes }) => sum + bytes, 0)
  for (const { name, usedAt, bytes } of folders.sort((one, other) => one.usedAt - other.usedAt)) {
    if (name === own || (total <= maxBytes && usedAt > Date.now() - maxAge)) continue
    rmSync(path.join(all, name), { recursive: true, force: true })
    total -= bytes
  }
}

function packFolder(gitDir: string): string {
  return path.join(gitDir, 'objects', 'pack')
}

function isPack(name: string): boolean {
  return name.endsWith('.pack')
}

function sizeOf(folder: string): number {
  return namesIn(folder)
    .map((name) => statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0)
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT' || errnoOf(thrown) === 'ENOTDIR') return []
    throw thrown
  }
}
