// A session's log: what `append` returned is written (it survives the process), what `durable` answered survives a power cut.
import type { Observable } from 'rxjs'
import type { SessionHeader } from './log-line.ts'
import type { SessionRecord } from './session-record.ts'

/** One session's log, open for writing. */
export interface SessionLog {
  readonly header: SessionHeader
  /** Line 1 as it stands in the log, without its line feed. */
  readonly headerLine: string
  /** The last `seq`; 0 while there is none. */
  readonly head: number
  /**
   * Writes one numbered line, synchronously, and returns it with its `crc`, without its line feed.
   * @param body the line without `,"crc":"…"}` (see `lineBody`)
   * @throws Failure `storage`; nothing of the line stays behind
   */
  append(body: string): string
  /** Writes an unnumbered checkpoint line. @throws Failure `storage` */
  checkpoint(body: string): void
  /** Starts a sync of everything written so far, without waiting for it (grouped with those under way). */
  sync(): void
  /** Emits once and completes when everything written before the call is synced; fails with Failure `storage`. */
  durable(): Observable<void>
  /** The durable records after `seq` (default 0: all), in order, read as they are asked for. */
  records(after?: number): Iterable<SessionRecord>
  /** Syncs, then lets go of file and lock; completes when done. */
  close(): Observable<never>
}

/** What a new session's header is made of. */
export type NewHeader = Omit<SessionHeader, 'type' | 'v' | 'crc'>

/** A warning that opening gave (e.g. a torn last line that was cut off). */
export interface OpenWarning {
  readonly code: string
  readonly message: string
  readonly context?: unknown
}

export interface OpenedLog {
  readonly log: SessionLog
  readonly warnings: readonly OpenWarning[]
  /** What was written of the message that was open when the process ended: its checkpoints, joined by `foldMessage`. */
  readonly checkpoints: Iterable<SessionRecord>
}

/** Where sessions are kept. */
export interface SessionStore {
  create(header: NewHeader): SessionLog
  /** @throws Failure `unknown_session`, `read_only`, `unsupported_version`, `storage` */
  open(sessionId: string): OpenedLog
  /** The id of the session of this folder that was written to last. */
  latest(cwd: string): string | undefined
}
