// Schemas of the commands that read and write the user's settings, and answer about trust.
// No model is offered these commands (docs/design/security.md#S1).
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { stringEnum } from '../schema/schema-helpers.ts'
import { surroundings, trustParameter } from './surroundings.ts'
import { importParameters, importResults } from './import-commands.ts'
import { mcpParameters, mcpResults } from './mcp-commands.ts'
import { ServerSummary } from '../config/mcp-servers.ts'
import { Count } from '../values/identifiers.ts'

/** A key of `settings.json`; nested keys are joined by a dot: `limits.turns`. */
const key = Type.String({ minLength: 1, maxLength: 100 })

const digest = Type.String({ pattern: '^[0-9a-f]{64}$' })

const trustParameters = {
  /**
   * Without `answer` it reports the files that trust gates. `trust` needs the `digest` of the report that the person
   * saw; `never` ends the question; `forget` removes the answer.
   */
  trust_folder: {
    ...surroundings,
    answer: Type.Optional(stringEnum(['trust', 'never', 'forget'])),
    digest: Type.Optional(digest),
  },
}

const trustResults = {
  trust_folder: {
    /** The project of `cwd`, a real path. */
    folder: Type.String(),
    /** True if the project's own configuration counts in sessions that open from now on. */
    trusted: Type.Boolean(),
    /** `none`: there is nothing to trust. `changed`: the files are not those that were trusted. */
    state: stringEnum(['none', 'untrusted', 'changed', 'never', 'trusted']),
    /** Every file that trust gates, by its path relative to `folder`, with the SHA-256 of its content. */
    files: Type.Array(Type.Object({ path: Type.String(), bytes: Count, digest })),
    /** The commands that run at events once the folder is trusted (`hooks` of its settings). Absent: none. */
    hooks: Type.Optional(
      Type.Array(Type.Object({ event: Type.String(), matcher: Type.Optional(Type.String()), command: Type.String() })),
    ),
    /** The MCP servers that sessions may start once the folder is trusted (`.mcp.json`). Absent: none. */
    mcpServers: Type.Optional(Type.Array(ServerSummary)),
    /** SHA-256 over all paths and contents; absent if there are none, or they cannot be trusted. */
    digest: Type.Optional(digest),
    /** Why the files cannot be trusted. */
    problem: Type.Optional(Type.String()),
  },
}

export const configParameters = {
  /** Lists every setting with its value and its source. */
  config_list: { ...surroundings, ...trustParameter },
  config_get: { ...surroundings, ...trustParameter, key },
  /** Writes `settings.json`; `null` removes the setting. If the setting is a list, a text is split at its commas. */
  config_set: { ...surroundings, key, value: Type.Unknown() },
  ...trustParameters,
  ...importParameters,
  ...mcpParameters,
}

/**
 * One setting; without `value` no layer sets it, and `default` counts. The environment overrides a project, and that
 * the file.
 */
export const Setting = Type.Object({
  key: Type.String(),
  /** The allowed values, in words. */
  takes: Type.String(),
  value: Type.Optional(Type.Unknown()),
  /** `file`: the user's. `project`: the trusted project's, which tightens that. */
  from: Type.Optional(stringEnum(['file', 'project', 'environment'])),
  /** The value if no layer sets one; absent if there is no fixed one. */
  default: Type.Optional(Type.Unknown()),
  /** The environment variable that can set it, or does. */
  variable: Type.Optional(Type.String()),
})
export type Setting = Static<typeof Setting>

export const configResults = {
  /** `file`: the absolute path of `settings.json`, whether or not the file exists. */
  config_list: {
    file: Type.String(),
    settings: Type.Array(Setting),
    /** The settings file of the trusted project. */
    project: Type.Optional(Type.String()),
    /** Settings without effect, and why. */
    warnings: Type.Optional(Type.Array(Type.String())),
  },
  config_get: { file: Type.String(), setting: Setting },
  /** The value in force; the environment may override what was written, as `setting.from` says. */
  config_set: { file: Type.String(), setting: Setting },
  ...trustResults,
  ...importResults,
  ...mcpResults,
}
