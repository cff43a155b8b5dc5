// Files are kept before and after what changes them, so that they can be put back; what cannot be kept is said, never guessed.
import type { Observable } from 'rxjs'
import type { Failure } from '../values/failure.ts'

/** A folder's files as they were at one moment. */
export interface SnapshotTaken {
  readonly type: 'taken'
  /** Its id: see `snapshotPattern`. */
  readonly snapshot: string
  /** How many files it holds. */
  readonly files: number
  /** Files and nested repositories that it does not hold: too large, or not readable. */
  readonly notKept: number
  /** Older snapshots of this folder that were removed to keep within the bounds. */
  readonly pruned: number
}

/** No snapshot, and why: for people. */
export interface SnapshotSkipped {
  readonly type: 'skipped'
  readonly message: string
}

export interface TakeOptions {
  /** Absolute. */
  readonly cwd: string
  /** The snapshot before the run, for the one behind it: what was ignored then is not kept now either. */
  readonly before?: string
  /** Milliseconds after which it is given up. Default 2,000. */
  readonly limitMs?: number
}

/** What a run, or a restoring, found and what it left; without `after` that is not known. */
export interface SnapshotPair {
  readonly before: string
  readonly after?: string
}

export interface RestoreRequest {
  /** Absolute; nothing outside is touched. */
  readonly cwd: string
  /** The snapshot to go back to. */
  readonly to: string
  /** What has changed the files since then, oldest first: everything else counts as the user's own edits. */
  readonly since: readonly SnapshotPair[]
}

/** One file that putting back would change. */
export interface FileChange {
  /** Below the folder, for people: bytes that are no UTF-8 are written as octal escapes in quotes. */
  readonly path: string
  /** `replace`: its content or mode; `create`: it was removed since; `remove`: it was created since. */
  readonly change: 'replace' | 'create' | 'remove'
}

/** One file and why it needs `force`, or cannot be put back at all. */
export interface FileReason {
  readonly path: string
  readonly reason: string
}

/** What putting back would do; nothing but the snapshot was made for it. */
export interface RestorePlan {
  /** The files as they are now. */
  readonly snapshotBefore: string
  readonly changes: readonly FileChange[]
  /** Of the changes: those that would lose what is not the agent's. */
  readonly conflicts: readonly FileReason[]
  /** Files that have changed and stay as they are, for they were not kept. */
  readonly kept: readonly FileReason[]
}

export interface RestoredFiles {
  /** What was put back, as in the plan's changes. */
  readonly paths: readonly string[]
  /** The files as they are then; absent where that could not be kept. */
  readonly snapshotAfter?: string
  /** Why the rest was not put back. */
  readonly failure?: Failure
}

/** A file that is not what it was. Contents are absent where there was, or is, no such file, and where `unread` says why. */
export interface ComparedFile {
  /** Below the folder, for people: see `FileChange`. */
  readonly path: string
  readonly change: 'modified' | 'created' | 'removed'
  readonly before?: string
  readonly after?: string
  /** Why the contents are not told: no text, too large, or too many. */
  readonly unread?: string
}

/** What has changed of a folder since a snapshot. */
export interface ComparedFiles {
  /** By name; 1,000 at most. */
  readonly files: readonly ComparedFile[]
  /** How many more there are. */
  readonly more: number
}

/** A snapshot's id. */
export const snapshotPattern = /^[0-9]{13}-[a-z2-7]{8}$/

/** Where snapshots of folders are kept. Each Observable emits once and completes; unsubscribing ends what it started. */
export interface Snapshots {
  /** Never fails. */
  take(options: TakeOptions): Observable<SnapshotTaken | SnapshotSkipped>
  /** Fails with a Failure: `bad_request` for a snapshot that is not there any more, `storage`. */
  changes(request: RestoreRequest): Observable<RestorePlan>
  /**
   * The files as they are now beside those of a snapshot. Fails as `changes` does. Absent: what has changed cannot be told.
   */
  compare?(request: { readonly cwd: string; readonly from: string }): Observable<ComparedFiles>
  /**
   * Puts back what `changes` told, conflicts too; each file is its old self or its new one at every instant. Once begun it is
   * carried through, also when nobody is subscribed any more.
   */
  restore(request: RestoreRequest & Pick<RestorePlan, 'snapshotBefore'>): Observable<RestoredFiles>
}
