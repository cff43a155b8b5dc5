// Port of file snapshots: states of a folder before and after a run, so that files can be restored.
// Gaps are reported, never guessed.
import type { Observable } from 'rxjs'
import type { Failure } from '../values/failure.ts'

/** A folder's files at one moment. */
export interface SnapshotTaken {
  readonly type: 'taken'
  /** Its id: see `snapshotPattern`. */
  readonly snapshot: string
  /** The number of files in it. */
  readonly files: number
  /** Files and nested repositories that it omits: too large, or not readable. */
  readonly notKept: number
  /** Older snapshots of this folder that were removed because of the limits. */
  readonly pruned: number
}

/** Why there is no snapshot, for people. */
export interface SnapshotSkipped {
  readonly type: 'skipped'
  readonly message: string
}

export interface TakeOptions {
  /** Absolute. */
  readonly cwd: string
  /** The snapshot before the run, for the one after it: files ignored then are omitted again. */
  readonly before?: string
  /** Milliseconds after which it is abandoned. Default 2,000. */
  readonly limitMs?: number
}

/** The files before and after a run, or a restore; without `after` the end is unknown. */
export interface SnapshotPair {
  readonly before: string
  readonly after?: string
}

export interface RestoreRequest {
  /** Absolute; no file outside is touched. */
  readonly cwd: string
  /** The snapshot to restore. */
  readonly to: string
  /** The changes since then, oldest first: all other changes count as the user's own edits. */
  readonly since: readonly SnapshotPair[]
}

/** One file that the restore would change. */
export interface FileChange {
  /** Path below the folder, for people: bytes that are not UTF-8 appear as octal escapes in quotes. */
  readonly path: string
  /** `replace`: its content or mode; `create`: it was removed since; `remove`: it was created since. */
  readonly change: 'replace' | 'create' | 'remove'
}

/** One file that needs `force`, or cannot be restored, and why. */
export interface FileReason {
  readonly path: string
  readonly reason: string
}

/** The plan of a restore; apart from the snapshot nothing was changed for it. */
export interface RestorePlan {
  /** The files as they are now. */
  readonly snapshotBefore: string
  readonly changes: readonly FileChange[]
  /** The changes that would lose edits which the agent did not make. */
  readonly conflicts: readonly FileReason[]
  /** Changed files that stay as they are, because no snapshot holds them. */
  readonly kept: readonly FileReason[]
}

export interface RestoredFiles {
  /** The restored files, as in the plan's changes. */
  readonly paths: readonly string[]
  /** The files after the restore; absent if that snapshot failed. */
  readonly snapshotAfter?: string
  /** Why the rest was not restored. */
  readonly failure?: Failure
}

/** A changed file. A content is absent if the file does not exist on that side, or if `unread` says why. */
export interface ComparedFile {
  /** Path below the folder, for people: see `FileChange`. */
  readonly path: string
  readonly change: 'modified' | 'created' | 'removed'
  readonly before?: string
  readonly after?: string
  /** Why the contents are omitted: no text, too large, or too many. */
  readonly unread?: string
}

/** The changes of a folder since a snapshot. */
export interface ComparedFiles {
  /** By name; 1,000 at most. */
  readonly files: readonly ComparedFile[]
  /** The number of further files. */
  readonly more: number
}

/** A snapshot's id. */
export const snapshotPattern = /^[0-9]{13}-[a-z2-7]{8}$/

/** The store of snapshots. Each Observable emits once and completes; unsubscribing ends what it started. */
export interface Snapshots {
  /** Never fails. */
  take(options: TakeOptions): Observable<SnapshotTaken | SnapshotSkipped>
  /** Fails with a Failure: `bad_request` if the snapshot no longer exists, `storage`. */
  changes(request: RestoreRequest): Observable<RestorePlan>
  /** Compares the files now with a snapshot. Fails as `changes` does. Absent: changes cannot be listed. */
  compare?(request: { readonly cwd: string; readonly from: string }): Observable<ComparedFiles>
  /**
   * Restores what `changes` lists, conflicts included; each file has its old or its new content at every instant. Once
   * started it runs to its end, even after unsubscribing.
   */
  restore(request: RestoreRequest & Pick<RestorePlan, 'snapshotBefore'>): Observable<RestoredFiles>
}
