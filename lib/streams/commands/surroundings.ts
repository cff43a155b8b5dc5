// Fields of commands with the client's folder and environment, and the options of a session.
import { Type } from '@sinclair/typebox'
import { mcpNamePattern } from '../config/mcp-servers.ts'
import { SessionId } from '../values/identifiers.ts'
import { sandboxModes } from '../ports/sandbox.ts'
import { stringEnum } from '../schema/schema-helpers.ts'

/**
 * The client's own folder and environment, for this command or session alone; never logged or returned
 * (docs/design/security.md#S7).
 */
export const surroundings = {
  cwd: Type.String({ minLength: 1 }),
  env: Type.Optional(Type.Record(Type.String(), Type.String())),
}

/** Only a client's command sets it; the trust ends with the session or the call (docs/design/security.md#S3). */
export const trustParameter = {
  /** True: the project's own configuration counts as if a person trusted its folder. */
  trust: Type.Optional(Type.Boolean()),
}

export const sandboxParameter = {
  /** Where bash and jobs run. Default: the user's setting. */
  sandbox: Type.Optional(stringEnum(sandboxModes)),
}

/** Files and folders that `--extension` names, absolute. */
export const extensionPaths = {
  extensions: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { maxItems: 100 })),
}

/** Options for opening a session. */
export const setupParameters = {
  /**
   * MCP servers of the client, by name, in the form of the user's settings; values are taken as they are. They serve the
   * session until it is closed, before servers of those names that are configured.
   */
  mcpServers: Type.Optional(
    Type.Record(Type.String({ pattern: mcpNamePattern }), Type.Record(Type.String(), Type.Unknown()), {
      additionalProperties: false,
      maxProperties: 100,
    }),
  ),
  /** Beside the extensions of the user, the project and packages. Naming one does not trust it (docs/design/security.md#S23). */
  ...extensionPaths,
  /** The session that the client leaves for this one: its extensions may refuse, with `not_allowed`. */
  leaving: Type.Optional(SessionId),
  /** Replaces the whole system prompt. */
  system: Type.Optional(Type.String()),
  /** Added at the end of the system prompt. */
  appendSystem: Type.Optional(Type.String()),
  /** False: no instruction files (`AGENTS.md` …) are read. */
  instructions: Type.Optional(Type.Boolean()),
}
