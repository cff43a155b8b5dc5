// The SessionLog port: appends the lines of one session and reads them again.
// Guarantees: `append` returns once the line is written (it survives the process), `durable` once it survives a power
// cut.
import type { Observable } from 'rxjs'
import type { Blobs } from '../log/blobs.ts'
import type { Failure } from '../values/failure.ts'
import type { Entry, SessionState } from '../state/fold-session.ts'
import type { SessionHeader, SessionRecord } from '../log/log-line.ts'

/**
 * A session's state at one line, stored beside the log so that opening need not read the lines before it. The lines
 * overrule it.
 */
export interface StateSnapshot {
  /** `seq` of the last line that it covers. */
  readonly seq: number
  /** `seq` of the first line that the model's context needs. */
  readonly contextFrom: number
  /** JSON. */
  readonly state: unknown
}

/** The state at the last line at which no run was active, folded while opening checked the lines. */
export interface RestedSession {
  /** The state folded from the lines up to `seq`, without the entries. */
  readonly state: Omit<SessionState, 'entries'>
  /** The entries of these lines, in order; each `message` is read on access. @throws Failure `read_only`, `storage` */
  entries(): ReadonlyMap<string, Entry>
}

/** A process that ended without closing its log. */
export interface KilledWriter {
  readonly pid: number
  /** When it started, as the system writes it. Empty if unavailable. */
  readonly startTime: string
  /** The boot of the machine. Empty if unavailable. */
  readonly bootId: string
}

/** The part of a log that the pipeline of an open session writes to. */
export interface LogWriter {
  /** Stores large content before the line that names it; pass it to `lineBody`. Absent: all content is on the lines. */
  readonly blobs?: Blobs | undefined
  /**
   * Why the log cannot be written: a line is damaged, its file was removed or changed by another program, or it was
   * opened for reading. Absent if it can be written.
   */
  readonly readOnly?: Failure | undefined
  /**
   * Writes one numbered line, and returns it with its `crc`, without its line feed. An Observable emits it once when it
   * is written: the pipeline takes no other record until then. It fails with Failure `storage` if nothing of the line
   * is written.
   * @param body the line without `,"crc":"…"}` (see `lineBody`)
   * @throws Failure `storage`, or the `readOnly` of the log; nothing of the line is written
   */
  append(body: string): string | Observable<string>
  /** Writes an unnumbered checkpoint line. @throws Failure `storage`, or the `readOnly` of the log */
  checkpoint(body: string): void
  /** Starts a sync of everything written so far, without waiting for it (grouped with those under way). */
  sync(): void
  /** Emits once and completes when everything written before the call is synced; fails with Failure `storage`. */
  durable(): Observable<void>
}

/**
 * One session's log, open for writing by this process alone, or for reading (`readOnly`). It writes in the call itself.
 */
export interface SessionLog extends LogWriter {
  readonly header: SessionHeader
  /** The last process that wrote the log, if it was killed. Absent: it closed the log, or is not known. */
  readonly killedWriter?: KilledWriter | undefined
  /** Line 1 without its line feed. */
  readonly headerLine: string
  /**
   * The last `seq`; 0 if there is none. Reading a whole log after opening may find damage; `head` is then the line
   * before it.
   */
  readonly head: number
  append(body: string): string
  /**
   * The durable records after `seq` (default 0: all), in order, read lazily; in a damaged log those before the damage.
   * @throws Failure `read_only` if damage is found while reading, `storage`
   * @param only the event types to return; lines of other types are skipped unchecked. Default: all
   */
  records(after?: number, only?: ReadonlySet<string>): Iterable<SessionRecord>
  /** The checkpoints of the message that was open when the log was opened, joined by `foldMessage`. */
  checkpoints(): Iterable<SessionRecord>
  /**
   * The state snapshot of an earlier opening. Absent if there is none, or if it does not match the lines. If present,
   * opening has read no line up to `kept.seq`; `earlier` reads them.
   */
  readonly kept?: StateSnapshot | undefined
  /** Absent if there is a state snapshot, and for short logs, which open faster by reading each line. */
  readonly rested?: RestedSession | undefined
  /** Bytes of the lines that no snapshot covers. */
  readonly unkept?: number
  /** Stores the state after the last line. If that fails, the next opening reads more; nothing is lost. */
  keep?(snapshot: StateSnapshot): void
  /**
   * Checks the lines up to `kept.seq`, a few at each step, and returns their entries in order; each `message` is read
   * on access. @throws Failure `read_only` at a damaged line, `storage`
   */
  earlier?(): Generator<readonly Entry[], void>
  /**
   * The entries of the lines `from` to `to`, in order, each with its message; only those lines are checked.
   * @throws Failure `read_only` at a damaged line, `storage`
   */
  entries?(from: number, to: number): readonly Entry[]
  /** Refuses further lines, after damage was found in lines that opening had not read. */
  condemn?(damage: Failure): void
  /**
   * The durable records after `seq` (default 0: all), then those that the process with the lock appends, as they come;
   * with `checkpoints` also those of the open message, without `seq` and `line`. Only for a log opened for reading.
   * Completes when the log is closed; fails with Failure `read_only` at a damaged line, `storage`.
   */
  follow?(after?: number, options?: FollowedLog): Observable<SessionRecord>
  /** Syncs, then closes the file and releases the lock; completes when done. */
  close(): Observable<never>
}

/** Options of a follower. */
export interface FollowedLog {
  /** Default: false. */
  readonly checkpoints?: boolean
}

/** The fields of a new session's header. */
export type NewHeader = Omit<SessionHeader, 'type' | 'v' | 'crc'>

/** A warning from opening the log (e.g. that a torn last line was cut off). */
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
  /**
   * Opens it only to read and follow it, even while another process writes it; the file stays unchanged. Default:
   * false.
   */
  readonly readOnly?: boolean
}

/** The store of sessions. */
export interface SessionStore {
  /** @throws Failure `bad_request`, `storage` */
  create(header: NewHeader): SessionLog
  /**
   * A log with a damaged line opens for reading only: `log.readOnly` names the line.
   * @throws Failure `unknown_session`, `session_locked`, `unsupported_version`, `storage`, `read_only` if line 1 is
   * damaged
   */
  open(sessionId: string, options?: OpenOptions): OpenedLog
  /** The id of the session of this folder that was written to last. */
  latest(cwd: string): string | undefined
  /**
   * The session that a command with this opId created in this folder in the last 24 hours, from line 1 alone: a
   * `new_session`, or with `parent` a branch of that session. Absent: after a restart a repeated command creates
   * another session.
   * @throws Failure `storage`
   */
  madeBy?(opId: string, cwd: string, parent?: string): SessionHeader | undefined
}
