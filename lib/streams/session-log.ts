// A session's log: what `append` returned is written (it survives the process), what `durable` answered survives a power cut.
import type { Observable } from 'rxjs'
import type { Failure } from './failure.ts'
import type { SessionHeader } from './log-line.ts'
import type { SessionRecord } from './session-record.ts'

/** One session's log, open for writing by this process alone, or for reading (`readOnly`). */
export interface SessionLog {
  readonly header: SessionHeader
  /** Line 1 as it stands in the log, without its line feed. */
  readonly headerLine: string
  /** The last `seq`; 0 while there is none. */
  readonly head: number
  /**
   * Why nothing can be written: a line is damaged, or it was opened for reading. Absent where it can be written. Reading all
   * of a log that was just opened may find damage in it, and `head` is then what stands before that.
   */
  readonly readOnly?: Failure | undefined
  /**
   * Writes one numbered line, synchronously, and returns it with its `crc`, without its line feed.
   * @param body the line without `,"crc":"…"}` (see `lineBody`)
   * @throws Failure `storage`, or what `readOnly` says; nothing of the line stays behind
   */
  append(body: string): string
  /** Writes an unnumbered checkpoint line. @throws Failure `storage`, or what `readOnly` says */
  checkpoint(body: string): void
  /** Starts a sync of everything written so far, without waiting for it (grouped with those under way). */
  sync(): void
  /** Emits once and completes when everything written before the call is synced; fails with Failure `storage`. */
  durable(): Observable<void>
  /**
   * The durable records after `seq` (default 0: all), in order, read as they are asked for; of a log that is damaged those
   * before the damage. @throws Failure `read_only` where damage turns up only now, `storage`
   */
  records(after?: number): Iterable<SessionRecord>
  /** What was written of the message that was open when the log was opened: its checkpoints, joined by `foldMessage`. */
  checkpoints(): Iterable<SessionRecord>
  /**
   * The durable records after `seq` (default 0: all), then those that the process which holds the session appends, as they
   * come. Only of a log that was opened for reading. Completes when the log is closed; fails with Failure `read_only` at a
   * damaged line, `storage`.
   */
  follow?(after?: number): Observable<SessionRecord>
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
}

export interface OpenOptions {
  /** Only to read and follow it, also while another process writes it; the file is left as it is. Default: false. */
  readonly readOnly?: boolean
}

/** Where sessions are kept. */
export interface SessionStore {
  /** @throws Failure `bad_request`, `storage` */
  create(header: NewHeader): SessionLog
  /**
   * A log with a damaged line opens too, for reading only: `log.readOnly` names the line.
   * @throws Failure `unknown_session`, `session_locked`, `unsupported_version`, `storage`, `read_only` where line 1 is damaged
   */
  open(sessionId: string, options?: OpenOptions): OpenedLog
  /** The id of the session of this folder that was written to last. */
  latest(cwd: string): string | undefined
}
