// Commands about sessions as they are kept: none needs the session to be open, and none asks a model.
import { Type } from '@sinclair/typebox'
import { Count, SessionId, ShortId } from '../values/identifiers.ts'
import type { SessionHeader } from '../log/log-line.ts'
import type { Message } from '../messages/message.ts'
import { nullable } from '../schema/schema-helpers.ts'
import { statusFields } from '../state/session-status.ts'
import { SessionStats } from '../state/session-stats.ts'
import { summaryFields } from '../state/session-summary.ts'
import { TreeNode } from '../state/session-tree.ts'
import { stringEnum } from '../schema/schema-helpers.ts'

const session = SessionId
/** One of both: a session, or a session file of rxpi or pi by its absolute path, which is looked at without becoming one. */
const target = { session: Type.Optional(session), file: Type.Optional(Type.String({ minLength: 1 })) }
const header = Type.Unsafe<SessionHeader>(Type.Ref('SessionHeader'))
const message = Type.Unsafe<Message>(Type.Ref('Message'))

/** What a log is found to be; `damages` are the first 1,000 of `damaged`, `line` counts from 1. */
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

/** Of a file that was read, by its lines (0 = all of it): the first 1,000 and how many more. */
const notes = { notes: Type.Array(Type.Object({ line: Count, message: Type.String() })), moreNotes: Count }

/** Their fields beside `type`, by command. */
export const storedSessionParameters = {
  /** Sessions of `cwd`, or without one or with `all` of all folders, last event first; those behind the session `after`. */
  list_sessions: {
    cwd: Type.Optional(Type.String({ minLength: 1 })),
    all: Type.Optional(Type.Boolean()),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
    after: Type.Optional(session),
  },
  /** It is the one that `open_session` without an id, and `-c`, go on with in its folder, until another one is written to. */
  switch_session: { session },
  /** Its log and all that is kept for it alone; refused while somebody has it open. */
  delete_session: { session },
  /** What a session is now: what is queued, asked, running; of one that is not open here, what its log says. */
  get_state: { session },
  /** All nodes of a session, on all branches, each with its first words. */
  get_tree: { ...target },
  /**
   * Whole entries in the order of the log: those after or before a `seq`, the first or the last 100 of them, or `limit`, and no more
   * than 1 Mi characters of JSON, but at least one; of one branch, where its end is named.
   */
  get_entries: {
    ...target,
    after: Type.Optional(Count),
    before: Type.Optional(Count),
    branch: Type.Optional(Type.Union([Type.Literal('head'), ShortId])),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
  },
  /** What a model would be told at an entry, or at the head. */
  get_context: { ...target, entryId: Type.Optional(ShortId) },
  get_stats: { ...target },
  /**
   * A piece of what an image, or a text, of a session's line names with `blob`: from the byte `offset` on (default: the first)
   * at most `limit` bytes (default: 4 MiB).
   */
  get_blob: {
    session,
    hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    offset: Type.Optional(Count),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 4_194_304 })),
  },
  /** A session file of pi or rxpi, by its absolute path or as text, becomes a session of `cwd`; it brings no trust. */
  import_session: {
    cwd: Type.String({ minLength: 1 }),
    file: Type.Optional(Type.String({ minLength: 1 })),
    content: Type.Optional(Type.String()),
  },
  /** A session, or a session file, as text for others; `to` (absolute) is written or replaced, for its user alone. */
  export_session: {
    session: Type.Optional(session),
    file: Type.Optional(Type.String({ minLength: 1 })),
    format: stringEnum(['pi', 'markdown', 'html']),
    to: Type.Optional(Type.String({ minLength: 1 })),
  },
  /**
   * A recorded session, or a session file of rxpi or pi by its absolute path, is played as a session of its own, which is
   * read-only and begins when somebody attaches. `speed` 1 is as it was (default), 0 as fast as can be; pauses are cut at
   * `maxPauseMs` (default 5,000) before they are divided by it.
   */
  replay_session: {
    ...target,
    speed: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000 })),
    maxPauseMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })),
  },
  /** Every line of a session's log looked at; a log elsewhere by its absolute path. */
  verify_session: { ...target },
  /** A repaired copy beside a damaged log, which is left as it is. */
  repair_session: { ...target },
}

/** What they are answered with. */
export const storedSessionResults = {
  /**
   * `total` of the folder or folders, `more` behind the last of `sessions`; `problems`: what was passed over, for people. `live` has
   * who is open on this server: whether a run is on, and how many questions wait for people.
   */
  list_sessions: {
    sessions: Type.Array(
      Type.Object({
        ...summaryFields,
        file: Type.String(),
        isLatest: Type.Boolean(),
        live: Type.Optional(Type.Object({ running: Type.Boolean(), asking: Count })),
      }),
    ),
    total: Count,
    more: Type.Boolean(),
    problems: Type.Array(Type.String()),
  },
  /** Its folder, where the log says one. */
  switch_session: { cwd: Type.Optional(Type.String()) },
  /** Absolute paths. */
  delete_session: { removed: Type.Array(Type.String()) },
  get_state: statusFields,
  /** `children` are sessions that begin at an entry of this one. */
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
   * `head` is the log's last `seq`; `more`: there are others further in the same direction, to be had with `after` = the `seq` of the last
   * entry, or `before` = that of the first.
   */
  get_entries: {
    entries: Type.Array(Type.Object({ entryId: ShortId, parentId: nullable(ShortId), seq: Count, message })),
    head: Count,
    headEntryId: nullable(ShortId),
    more: Type.Boolean(),
  },
  /** `tokens` are estimated, of the messages alone. */
  get_context: { entryId: nullable(ShortId), messages: Type.Array(message), tokens: Count },
  get_stats: SessionStats.properties,
  /** `bytes` of the whole; `data` is base64 of the piece, '' behind the last byte. */
  get_blob: { bytes: Count, offset: Count, data: Type.String() },
  /** `notes` say what did not stay what it was. */
  import_session: { session, header, format: stringEnum(['pi', 'rxpi']), messages: Count, ...notes },
  /** `text` is absent where a file was written; one of more than 8 Mi characters needs one. `notes` are of a file that was read. */
  export_session: {
    text: Type.Optional(Type.String()),
    file: Type.Optional(Type.String()),
    characters: Count,
    ...notes,
  },
  verify_session: verdict,
  /** `repaired` is the copy, absent where the log is clean; `lost` and `changed` are for people, 1,000 at most. */
  repair_session: {
    ...verdict,
    repaired: Type.Optional(Type.String()),
    lost: Type.Array(Type.String()),
    changed: Type.Array(Type.String()),
  },
}
