// Schema of `mcpServers`, as other agents write it, in settings.json and in a project's .mcp.json.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { stringEnum } from '../schema/schema-helpers.ts'

const closed = { additionalProperties: false }
const Text = Type.String({ minLength: 1, maxLength: 8_192 })
const Texts = Type.Record(Type.String({ minLength: 1, maxLength: 256 }), Type.String({ maxLength: 32_768 }))
/** Milliseconds; 0 would end a start before it began. */
const Limit = Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 })
const ToolNames = Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { maxItems: 1_000 })

/** How rxpi signs in to a server at a URL. */
const McpOAuthSettings = Type.Object(
  {
    clientId: Type.Optional(Text),
    clientSecret: Type.Optional(Text),
    scopes: Type.Optional(Type.Array(Text, { maxItems: 100 })),
    /** The port of the redirect on 127.0.0.1. Default: a free one. */
    callbackPort: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
  },
  closed,
)

/** The name of a server, which is part of the names of its tools. */
export const mcpNamePattern = '^[A-Za-z0-9_-]{1,64}$'

/** One server: a program (`command`) or an address (`url`). */
export const McpEntry = Type.Object(
  {
    /** Default: `stdio` with a `command`, `http` with a `url`. */
    type: Type.Optional(stringEnum(['stdio', 'http', 'streamable-http', 'sse'])),
    command: Type.Optional(Text),
    args: Type.Optional(Type.Array(Type.String({ maxLength: 32_768 }), { maxItems: 1_000 })),
    env: Type.Optional(Texts),
    /** Relative to the file of the entry. Default: the folder of the session. */
    cwd: Type.Optional(Text),
    url: Type.Optional(Text),
    headers: Type.Optional(Texts),
    /** True: each session has a process or connection of its own. Default false. */
    perSession: Type.Optional(Type.Boolean()),
    /** Until the server must have answered and listed its tools. Default 30,000. */
    startTimeoutMs: Type.Optional(Limit),
    /** How long a call may be silent. Default 120,000. */
    timeoutMs: Type.Optional(Limit),
    /** Names of tools as the server writes them; `*` stands for any characters. */
    tools: Type.Optional(Type.Object({ include: Type.Optional(ToolNames), exclude: Type.Optional(ToolNames) }, closed)),
    /** True: the server may ask for answers of the session's model. Default false. */
    sampling: Type.Optional(Type.Boolean()),
    /** True: the entry stays in the file and is not used. Default false. */
    disabled: Type.Optional(Type.Boolean()),
    /** False: rxpi never signs in. */
    oauth: Type.Optional(Type.Union([Type.Literal(false), McpOAuthSettings])),
  },
  closed,
)
export type McpEntry = Readonly<Static<typeof McpEntry>>

/** Servers by name. */
export const McpServers = Type.Record(Type.String({ pattern: mcpNamePattern }), McpEntry, closed)
export type McpServers = Readonly<Static<typeof McpServers>>

/** A project's `.mcp.json`. */
export const McpServersFile = Type.Object({ mcpServers: McpServers }, { ...closed, $id: 'McpServersFile' })
export type McpServersFile = Readonly<Static<typeof McpServersFile>>

/** A server as a person decides about it: what is started or reached, with names in place of secrets. */
export const ServerSummary = Type.Object({
  name: Type.String(),
  command: Type.Optional(Type.String()),
  args: Type.Optional(Type.Array(Type.String())),
  /** Names of variables of the environment. */
  env: Type.Optional(Type.Array(Type.String())),
  url: Type.Optional(Type.String()),
  /** Names of headers. */
  headers: Type.Optional(Type.Array(Type.String())),
  disabled: Type.Optional(Type.Literal(true)),
})
export type ServerSummary = Static<typeof ServerSummary>
