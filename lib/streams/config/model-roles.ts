// Schema of the setting `models`: a model for each role, also for folders and files.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

/** The jobs that a model can be chosen for. */
export const modelRoles = ['default', 'smol', 'slow', 'plan', 'commit', 'vision', 'summary'] as const
export type ModelRole = (typeof modelRoles)[number]

const closed = { additionalProperties: false }
/** `provider/id`, also with a thinking level: `openai/gpt-6-sol:high`. */
const name = Type.String({ pattern: '^[^@\\s/]+(/\\S+)?$' })
/** A list has the fallbacks after the model. */
const RoleModel = Type.Optional(Type.Union([name, Type.Array(name, { minItems: 1, maxItems: 20 })]))

const roles = {
  /** The model of a session; it precedes the setting `model` of the same file. */
  default: RoleModel,
  /** A small, cheap model. */
  smol: RoleModel,
  /** A strong, slow model. */
  slow: RoleModel,
  /** Phases of scenarios that end with a plan. */
  plan: RoleModel,
  /** Runs of `/commit`. */
  commit: RoleModel,
  /** Runs with images, if their model takes none. */
  vision: RoleModel,
  /** Summaries of conversations. */
  summary: RoleModel,
}

const RoleModels = Type.Object(roles, closed)
export type RoleModels = Static<typeof RoleModels>

export const ModelSettings = Type.Object(
  {
    ...roles,
    /** By glob: roles for sessions in a folder, and for runs that touch a file. The last one that matches counts. */
    paths: Type.Optional(Type.Record(Type.String({ minLength: 1 }), RoleModels)),
  },
  closed,
)
export type ModelSettings = Static<typeof ModelSettings>
