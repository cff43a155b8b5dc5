// A session's log: what `append` returned is written (it survives the process), what `durable` answered survives a power cut.
import type { Observable } from 'rxjs'
import type { Blobs } from '../log/blobs.ts'
import type { Failure } from '../values/failure.ts'
import type { Entry, SessionState } from '../state/fold-session.ts'
import type { SessionHeader } from '../log/log-line.ts'
import type { SessionRecord } from '../log/log-line.ts'

/** What a session was at a line of its log, kept beside it so that opening need not read what it covers; the lines overrule it. */
export interface StateSnapshot {
  /** The last line that it covers. */
  readonly seq: number
  /** The first line that the model's context needs. */
  readonly contextFrom: number
  /** JSON. */
  readonly state: unknown
}

/** What a session was at a line of its log at which nothing was on, as opening saw it while it checked the lines. */
export interface RestedSession {
  /** What the lines up to `seq` fold to, but for the entries. */
  readonly state: Omit<SessionState, 'entries'>
  /** Those of these lines, in order; a `message` is read each time that it is asked for. @throws Failure `read_only`, `storage` */
  entries(): ReadonlyMap<string, Entry>
}

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
  /** Takes large content before the line that names it; give it to `lineBody`. Absent: all content stands on the lines. */
  readonly blobs?: Blobs | undefined
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
   * @param only the types of event that are wanted; the lines of others are passed over, unchecked. Default: all
   */
  records(after?: number, only?: ReadonlySet<string>): Iterable<SessionRecord>
  /** What was written of the message that was open when the log was opened: its checkpoints, joined by `foldMessage`. */
  checkpoints(): Iterable<SessionRecord>
  /**
   * What was kept when the session was open before. Absent where nothing was, or where it does not fit the lines. Where it is
   * there, opening has looked at no line up to `kept.seq`: `earlier` does.
   */
  readonly kept?: StateSnapshot | undefined
  /** Absent where a session was kept, and where opening is quicker when it reads each line whole: of short logs. */
  readonly rested?: RestedSession | undefined
  /** Bytes of lines that nothing kept covers. */
  readonly unkept?: number
  /** Keeps what the session is after its last line. Where that cannot be written, the next opening reads more: nothing is lost. */
  keep?(kept: StateSnapshot): void
  /**
   * Checks the lines up to `kept.seq`, a few at each step, and tells their entries in order, each with a `message` that is
   * read when it is asked for. @throws Failure `read_only` at a damaged line, `storage`
   */
  earlier?(): Generator<readonly Entry[], void>
  /**
   * The entries of the lines from number `from` to number `to`, in order, each with its message; those lines alone are checked.
   * @throws Failure `read_only` at a damaged line, `storage`
   */
  entries?(from: number, to: number): readonly Entry[]
  /** Takes no line any more: damage was found in what opening had not looked at. */
  condemn?(damage: Failure): void
  /**
   * The durable records after `seq` (default 0: all), then those that the process which holds the session appends, as they
   * come; with `checkpoints` also those of the message that is open, without `seq` and `line`, where there are any. Only of a
   * log that was opened for reading. Completes when the log is closed; fails with Failure `read_only` at a
   * damaged line, `storage`.
   */
  follow?(after?: number, options?: FollowedLog): Observable<SessionRecord>
  /** Syncs, then lets go of file and lock; completes when done. */
  close(): Observable<never>
}

/** What is told of a log that is followed. */
export interface FollowedLog {
  /** Default: false. */
  readonly checkpoints?: boolean
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
  /**
   * The session that a command with this opId made in this folder in the last 24 hours, from line 1 alone: a `new_session`,
   * or with `parent` a branch of that session. Absent: a repeated command makes another session after a restart.
   * @throws Failure `storage`
   */
  madeBy?(opId: string, cwd: string, parent?: string): SessionHeader | undefined
}
