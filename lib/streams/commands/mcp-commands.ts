// Schemas of the commands about MCP servers: list, add, remove, test, sign in, logs, restart, import.
// No model is offered these commands (docs/design/security.md#S1).
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { mcpNamePattern, ServerSummary } from '../config/mcp-servers.ts'
import { stringEnum } from '../schema/schema-helpers.ts'
import { Count } from '../values/identifiers.ts'
import { LoginState } from './account-commands.ts'
import { surroundings, trustParameter } from './surroundings.ts'

const server = Type.String({ pattern: mcpNamePattern })
const where = { ...surroundings, ...trustParameter }

/** Agents whose servers can be taken over. */
export const mcpSources = ['claude', 'codex', 'cursor', 'vscode'] as const
export type McpSource = (typeof mcpSources)[number]

export const mcpParameters = {
  /** Lists the servers of the user and of the project of `cwd`, with the states of those that run here; starts none. */
  mcp_list: where,
  mcp_show: { ...where, server },
  /** Writes an entry of `mcpServers` into the user's settings. `replace`: also over one of this name. */
  mcp_add: {
    ...surroundings,
    server,
    entry: Type.Record(Type.String(), Type.Unknown()),
    replace: Type.Optional(Type.Boolean()),
  },
  /** Removes an entry of the user's settings. */
  mcp_remove: { ...surroundings, server },
  /** Starts a server for itself, reads its lists and ends it. */
  mcp_test: { ...where, server },
  /** Returns the last 64 KiB that a server wrote to standard error, by line. */
  mcp_logs: { server },
  /** Begins a sign-in to a server at an address; `auth_login_wait`, `auth_login_input` and `auth_login_cancel` go on with it. */
  mcp_login: { ...where, server },
  /** Removes the account at a server from this machine. */
  mcp_logout: { ...where, server },
  /** Connects a server of open sessions anew. */
  mcp_restart: { server },
  /** Reads the servers of another agent; adds those of `add` to the user's settings. */
  mcp_import: {
    ...surroundings,
    from: stringEnum(mcpSources),
    add: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { maxItems: 1_000 })),
  },
}

/** A configured server. */
export const McpRow = Type.Object({
  ...ServerSummary.properties,
  /** `user`: the settings. `project`: the `.mcp.json` of the folder. `client`: passed with an open session of the folder. */
  origin: stringEnum(['user', 'project', 'client']),
  /** Why no session uses it: it cannot be started, another one has its name, or the folder is not trusted. */
  problem: Type.Optional(Type.String()),
  /** `starting`, `ready`, `waiting`, `needs_login`, `failed` or `stopped`; absent: no session here uses it. */
  state: Type.Optional(Type.String()),
  error: Type.Optional(Type.String()),
  /** The revision of the protocol. */
  protocol: Type.Optional(Type.String()),
  tools: Type.Optional(Count),
  pid: Type.Optional(Count),
  restarts: Type.Optional(Count),
  /** True: an account at its address is stored. */
  isSignedIn: Type.Optional(Type.Literal(true)),
})
export type McpRow = Static<typeof McpRow>

/** A server of another agent. */
export const McpImportRow = Type.Object({
  ...ServerSummary.properties,
  /** True: the settings have a server of this name. */
  present: Type.Optional(Type.Literal(true)),
  /** True: it was added. */
  added: Type.Optional(Type.Literal(true)),
  /** Why it cannot be added. */
  problem: Type.Optional(Type.String()),
})
export type McpImportRow = Static<typeof McpImportRow>

const texts = Type.Array(Type.String())
const file = Type.String()

export const mcpResults = {
  /** `file`: the user's settings. `project`: the `.mcp.json` of the folder, if there is one. */
  mcp_list: { file, project: Type.Optional(Type.String()), servers: Type.Array(McpRow), problems: texts },
  mcp_show: { file, server: McpRow },
  mcp_add: { file, server: McpRow },
  mcp_remove: { file },
  mcp_test: {
    server,
    state: stringEnum(['ready', 'needs_login', 'failed']),
    error: Type.Optional(Type.String()),
    protocol: Type.Optional(Type.String()),
    /** The server's own name and version. */
    title: Type.Optional(Type.String()),
    tools: Type.Array(Type.Object({ name: Type.String(), description: Type.String() })),
    resources: Count,
    prompts: Count,
    durationMs: Type.Number({ minimum: 0 }),
    /** Parts left out, and why. */
    notices: texts,
    /** The last 12 lines that a program wrote to standard error before it failed; absent for one line, which `error` has. */
    log: Type.Optional(texts),
  },
  mcp_logs: { lines: texts },
  mcp_login: { login: LoginState },
  mcp_logout: { removed: Count },
  mcp_restart: {},
  /** `files`: those that were read. */
  mcp_import: { files: texts, servers: Type.Array(McpImportRow), file },
}
