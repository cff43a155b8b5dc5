// Schemas of the commands on an open session's files and tools, and on tools that a client brings.
import { Type } from '@sinclair/typebox'
import { Count, SessionId, ShortId } from '../values/identifiers.ts'
import { stringEnum } from '../schema/schema-helpers.ts'
import { capabilities } from '../ports/tool.ts'
import { UserPart } from '../messages/message.ts'

const session = SessionId

/** The fields beside `type`, by command. */
export const workspaceParameters = {
  /**
   * Finds files and folders of the session's folder, hidden ones too, except those in .gitignore. A path matches if it
   * contains the letters of `query` in order; best match first. Without a query: the highest paths. `limit`: 50.
   */
  find_files: {
    session,
    query: Type.Optional(Type.String({ maxLength: 1_000 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
  },
  /**
   * Finds resources of the session's MCP servers, and templates, for a text typed behind `@`. `SERVER:…` finds those of this
   * server, and values of a template's variable. `limit`: 50.
   */
  find_resources: {
    session,
    query: Type.Optional(Type.String({ maxLength: 4_096 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
  },
  /**
   * Compares the files of the session's folder, untracked ones too, with their state before the session's runs first
   * changed any file, whichever program changed them since.
   */
  get_diff: { session },
  /** Lists the registered tools, from which `set_active_tools` selects. */
  list_tools: { session },
  /** Lists what a prompt can begin with: skills, templates and rxpi's own commands. */
  list_commands: { session },
}

/** The results, by command. */
export const workspaceResults = {
  /**
   * Paths below the folder, folders with a trailing `/`. `more`: further paths match. `complete: false`: the search
   * stopped at its limit (100,000 files, 5 s).
   */
  find_files: { files: Type.Array(Type.String()), more: Type.Boolean(), complete: Type.Boolean() },
  /** `servers`: those with resources or templates, and how many. `more`: further ones fit. */
  find_resources: {
    servers: Type.Array(Type.Object({ server: Type.String(), resources: Count })),
    resources: Type.Array(
      Type.Object({
        server: Type.String(),
        uri: Type.String(),
        name: Type.String(),
        description: Type.Optional(Type.String()),
        mimeType: Type.Optional(Type.String()),
        /** True: `uri` has variables (`{name}`), or more of it is to be typed. */
        template: Type.Optional(Type.Boolean()),
      }),
    ),
    more: Type.Boolean(),
  },
  /** By path, at most 1,000, and `more`; unified diffs, or the `reason` why there is none. */
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
        /** As the tool declares it; `execute` and `network` are earlier names of `exec` and `http`. */
        capability: stringEnum([...capabilities, 'execute', 'network']),
        active: Type.Boolean(),
        /** True: requests leave it out, and `search_tools` finds it. */
        unlisted: Type.Optional(Type.Boolean()),
      }),
    ),
  },
  list_commands: {
    commands: Type.Array(
      Type.Object({
        /** Without the slash. */
        name: Type.String(),
        /** `skill`, `template`, `command`, `scenario`, `extension` or `mcp`. */
        kind: Type.String(),
        description: Type.String(),
        /** Syntax of the arguments, for people. */
        argument: Type.Optional(Type.String()),
        /** `user`, `project`, `package`, `built-in`, `extension` or `mcp`. */
        source: Type.String(),
        path: Type.Optional(Type.String()),
        /** The name of the extension that registered it. */
        extension: Type.Optional(Type.String()),
        /** The name of the installed package that brings it. */
        package: Type.Optional(Type.String()),
      }),
    ),
    /** Files that define no command (`error`), or not quite the one that was meant (`warning`). */
    problems: Type.Array(Type.Object({ path: Type.String(), level: Type.String(), message: Type.String() })),
  },
}

// Commands of a client that registers tools of its own: the list of tools, and the result of a call.

/** Tools of the client, active while it is attached, under the names `channel_<client>_<name>`. */
const offeredTools = Type.Array(
  Type.Object({
    name: Type.String({ pattern: '^[A-Za-z0-9_-]{1,35}$' }),
    description: Type.String({ maxLength: 16_384 }),
    /** JSON Schema of an object, 64 Ki characters at most. */
    parameters: Type.Record(Type.String(), Type.Unknown()),
    /** Milliseconds after which a call is ended; 0: no limit. Default 120,000. */
    timeoutMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })),
  }),
  { maxItems: 64 },
)

/** A client's own files and terminals, while it is attached. */
const offeredEnvironment = Type.Object({
  /**
   * The tools of the session read the texts of this client, with changes that are not saved (`read`), and give it changed ones
   * (`read_write`).
   */
  files: Type.Optional(stringEnum(['read', 'read_write'])),
  /** Commands outside of the sandbox run in terminals of this client. */
  terminals: Type.Optional(Type.Boolean()),
})

/** A client's offer to a session while it is attached. */
export const offers = {
  tools: Type.Optional(offeredTools),
  environment: Type.Optional(offeredEnvironment),
}

export const channelParameters = {
  /** The result of a `channel_call`; once, and only from the connection that received the call. */
  channel_result: {
    callId: ShortId,
    content: Type.Array(UserPart),
    /** For people and programs, never for the model. */
    details: Type.Optional(Type.Unknown()),
    isError: Type.Optional(Type.Boolean()),
  },
}

export const channelResults = { channel_result: {} }
