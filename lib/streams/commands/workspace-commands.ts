// Commands about what an open session has around it: the files of its folder, the tools it may use.
import { Type } from '@sinclair/typebox'
import { Count, SessionId, ShortId } from '../values/identifiers.ts'
import { stringEnum } from '../schema/schema-helpers.ts'
import { UserPart } from '../messages/message.ts'

const session = SessionId

/** Their fields beside `type`, by command. */
export const workspaceParameters = {
  /**
   * Files and folders of the session's folder, hidden ones too, as .gitignore leaves them; those that have the letters of
   * `query` in their order, the best first. Without one those that lie highest. `limit`: 50.
   */
  find_files: {
    session,
    query: Type.Optional(Type.String({ maxLength: 1_000 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
  },
  /**
   * The files of the session's folder as they are now, untracked ones too, beside what they were before its runs first changed
   * any, whoever has changed them since.
   */
  get_diff: { session },
  /** The registered tools, which `set_active_tools` chooses from. */
  list_tools: { session },
}

/** What they are answered with. */
export const workspaceResults = {
  /**
   * Below the folder, a folder with `/` at its end. `more`: others match too. `complete: false`: the folder holds more than was
   * looked at (100,000 files, 5 s).
   */
  find_files: { files: Type.Array(Type.String()), more: Type.Boolean(), complete: Type.Boolean() },
  /** By path, 1,000 at most, `more` than those; unified diffs, or the `reason` why there is none. */
  get_diff: {
    files: Type.Array(
      Type.Object({
        path: Type.String(),
        change: stringEnum(['modified', 'created', 'removed']),
        diff: Type.Optional(Type.String()),
        reason: Type.Optional(Type.String()),
      }),
    ),
    more: Count,
  },
  list_tools: {
    tools: Type.Array(
      Type.Object({
        name: Type.String(),
        description: Type.String(),
        capability: stringEnum(['read', 'write', 'execute', 'network']),
        active: Type.Boolean(),
      }),
    ),
  },
}

// What a client that offers tools of its own says: which there are, and what a call of one came to.

/** Tools of the client, active as long as it is attached, under the names `channel_<client>_<name>`. */
export const offeredTools = Type.Array(
  Type.Object({
    name: Type.String({ pattern: '^[A-Za-z0-9_-]{1,35}$' }),
    description: Type.String({ maxLength: 16_384 }),
    /** JSON Schema of an object, 64 Ki characters at most. */
    parameters: Type.Record(Type.String(), Type.Unknown()),
    /** Milliseconds after which a call is ended; 0: none. Default 120,000. */
    timeoutMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })),
  }),
  { maxItems: 64 },
)

export const channelParameters = {
  /** What a `channel_call` came to; once, and only from the connection that was called. */
  channel_result: {
    callId: ShortId,
    content: Type.Array(UserPart),
    /** For people and programs, never for the model. */
    details: Type.Optional(Type.Unknown()),
    isError: Type.Optional(Type.Boolean()),
  },
}

export const channelResults = { channel_result: {} }
