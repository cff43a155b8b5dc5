// Schemas of the commands on stored sessions. None needs an open session, and none calls a model.
import { NextRequest } from './context-commands.ts'
import { Type } from '@sinclair/typebox'
import { Count, SessionId, ShortId, Timestamp, searchLimit } from '../values/identifiers.ts'
import type { EventNamed } from '../events/event.ts'
import type { SessionHeader } from '../log/log-line.ts'
import type { Message } from '../messages/message.ts'
import { nullable, stringEnum } from '../schema/schema-helpers.ts'
import { statusFields } from '../state/session-status.ts'
import { SessionStats } from '../state/session-stats.ts'
import { summaryFields } from '../state/session-summary.ts'
import { TreeNode } from '../state/session-tree.ts'

const session = SessionId
/**
 * Exactly one of: a session's id, or the absolute path of a session file of rxpi or pi, which is read without importing
 * it.
 */
const target = { session: Type.Optional(session), file: Type.Optional(Type.String({ minLength: 1 })) }
const header = Type.Unsafe<SessionHeader>(Type.Ref('SessionHeader'))
const message = Type.Unsafe<Message>(Type.Ref('Message'))
/** A summary as a node of the tree. */
const summary = Type.Object({
  seq: Count,
  at: Timestamp,
  event: Type.Unsafe<EventNamed<'compaction' | 'branch_summary'>>(
    Type.Union([Type.Ref('event_compaction'), Type.Ref('event_branch_summary')]),
  ),
})

/** The result of a log check; `damages` are the first 1,000 of `damaged`, `line` counts from 1. */
const verdict = {
  file: Type.String(),
  clean: Type.Boolean(),
  lines: Count,
  head: Count,
  damaged: Count,
  damages: Type.Array(
    Type.Object({
      line: Count,
      kind: stringEnum(['header', 'version', 'checksum', 'content', 'number', 'line_end', 'torn', 'blob']),
      problem: Type.String(),
    }),
  ),
}

/** Problems of a file by line (0 = the whole file): the first 1,000, and how many more. */
const notes = { notes: Type.Array(Type.Object({ line: Count, message: Type.String() })), moreNotes: Count }

/** The fields beside `type`, by command. */
export const storedSessionParameters = {
  /**
   * Lists the sessions of `cwd`, or of all folders without `cwd` or with `all`; last event first, starting after the
   * session `after`. With `text`, those with this text in their title or in a message of user or model.
   */
  list_sessions: {
    cwd: Type.Optional(Type.String({ minLength: 1 })),
    all: Type.Optional(Type.Boolean()),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
    after: Type.Optional(session),
    /** False: leaves out sessions without a message. Default true. */
    includeEmpty: Type.Optional(Type.Boolean()),
    /** Capital and small letters are the same. */
    text: Type.Optional(Type.String({ minLength: 1, maxLength: searchLimit })),
  },
  /**
   * Makes it the session that `open_session` without an id, and `-c`, continue in its folder, until another session is
   * written to.
   */
  switch_session: { session },
  /**
   * Deletes the log and everything stored for it alone. An idle session is closed first, and its other clients get a
   * `status`; refused while it is at work, or another process has it open.
   */
  delete_session: { session },
  /**
   * Returns the session's current state: queue, open questions, runs. If it is not open here, the state that its log
   * implies.
   */
  get_state: { session },
  /** Returns all nodes of a session, on all branches, each with the start of its text. */
  get_tree: { ...target },
  /**
   * Returns whole entries in log order: those after or before a `seq`, or the first or last 100 (`limit`). At most 1 Mi
   * characters of JSON, but at least one entry. With an end entry: only those of its branch.
   */
  get_entries: {
    ...target,
    after: Type.Optional(Count),
    before: Type.Optional(Count),
    branch: Type.Optional(Type.Union([Type.Literal('head'), ShortId])),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
  },
  /** Returns the messages that a model would receive at an entry, or at the head. */
  get_context: { ...target, entryId: Type.Optional(ShortId) },
  get_stats: { ...target },
  /**
   * Returns a piece of an image or text that a line of the session refers to by `blob`: from byte `offset` (default: 0)
   * at most `limit` bytes (default: 4 MiB).
   */
  get_blob: {
    session,
    hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    offset: Type.Optional(Count),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 4_194_304 })),
  },
  /** Imports a session file of pi or rxpi, by absolute path or as text, as a session of `cwd`; it brings no trust. */
  import_session: {
    cwd: Type.String({ minLength: 1 }),
    file: Type.Optional(Type.String({ minLength: 1 })),
    content: Type.Optional(Type.String()),
  },
  /**
   * Exports a session or a session file as text. `to` (absolute) is a new file of mode 0600, a device or a pipe; an
   * existing file is replaced with `overwrite` only.
   */
  export_session: {
    session: Type.Optional(session),
    file: Type.Optional(Type.String({ minLength: 1 })),
    format: stringEnum(['pi', 'markdown', 'html']),
    to: Type.Optional(Type.String({ minLength: 1 })),
    overwrite: Type.Optional(Type.Boolean()),
  },
  /**
   * Replays a session, or a session file of rxpi or pi by absolute path, as a read-only session that starts at the
   * first attachment. `speed` 1 is the original pace (default), 0 as fast as possible. Pauses are cut at `maxPauseMs`
   * (default 5,000) before they are divided by `speed`.
   */
  replay_session: {
    ...target,
    speed: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000 })),
    maxPauseMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })),
  },
  /** Checks every line of a session's log, or of a log at an absolute path. */
  verify_session: { ...target },
  /** Writes a repaired copy beside a damaged log and leaves the damaged log unchanged. */
  repair_session: { ...target },
}

/** The results, by command. */
export const storedSessionResults = {
  /**
   * `total` counts the sessions of the folder or folders, `more` those after the last of `sessions`. `problems`:
   * skipped files, for people. `live` says of each session that is open on this server whether a run is active and how
   * many questions are open. `match`: the words around the `text` in its first message that has it.
   */
  list_sessions: {
    sessions: Type.Array(
      Type.Object({
        ...summaryFields,
        file: Type.String(),
        isLatest: Type.Boolean(),
        live: Type.Optional(Type.Object({ running: Type.Boolean(), asking: Count })),
        match: Type.Optional(Type.String()),
      }),
    ),
    total: Count,
    more: Type.Boolean(),
    problems: Type.Array(Type.String()),
  },
  /** Its folder, if the log names one. */
  switch_session: { cwd: Type.Optional(Type.String()) },
  /** Absolute paths. */
  delete_session: { removed: Type.Array(Type.String()) },
  get_state: statusFields,
  /** `children` are the sessions that begin at an entry of this one. */
  get_tree: {
    header,
    title: Type.Optional(Type.String()),
    headEntryId: nullable(ShortId),
    entries: Type.Array(TreeNode),
    children: Type.Array(
      Type.Object({
        session,
        entryId: ShortId,
        title: Type.Optional(Type.String()),
        firstWords: Type.Optional(Type.String()),
        updatedAt: Type.Number(),
      }),
    ),
  },
  /**
   * `head` is the log's last `seq`. `more`: further entries follow in the same direction; ask with `after` = the `seq`
   * of the last entry, or `before` = that of the first. `summaries`: the last 50 of the compactions and branch summaries among the entries; absent without one. With a
   * branch, `compaction` is the one that the model's context at its end begins with.
   */
  get_entries: {
    entries: Type.Array(Type.Object({ entryId: ShortId, parentId: nullable(ShortId), seq: Count, message })),
    head: Count,
    headEntryId: nullable(ShortId),
    more: Type.Boolean(),
    summaries: Type.Optional(Type.Array(summary)),
    compaction: Type.Optional(summary),
  },
  /**
   * `tokens` are estimated from the messages alone. `request` is the next request of a session that this server has
   * open; absent for another entry or session.
   */
  get_context: {
    entryId: nullable(ShortId),
    messages: Type.Array(message),
    tokens: Count,
    request: Type.Optional(NextRequest),
  },
  get_stats: SessionStats.properties,
  /** `bytes` is the size of the whole; `data` is the piece in base64, '' after the last byte. */
  get_blob: { bytes: Count, offset: Count, data: Type.String() },
  /** `notes` list what the import changed. */
  import_session: { session, header, format: stringEnum(['pi', 'rxpi']), messages: Count, ...notes },
  /**
   * `text` is absent if a file was written; more than 8 Mi characters need a file. `notes` describe problems of a
   * source file.
   */
  export_session: {
    text: Type.Optional(Type.String()),
    file: Type.Optional(Type.String()),
    characters: Count,
    ...notes,
  },
  verify_session: verdict,
  /** `repaired` is the copy, absent if the log is undamaged; `lost` and `changed` are for people, 1,000 at most. */
  repair_session: {
    ...verdict,
    repaired: Type.Optional(Type.String()),
    lost: Type.Array(Type.String()),
    changed: Type.Array(Type.String()),
  },
}
