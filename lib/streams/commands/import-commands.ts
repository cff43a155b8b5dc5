// Schemas of the command that imports a person's files of pi.
// No model is offered it (docs/design/security.md#S1).
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { stringEnum } from '../schema/schema-helpers.ts'
import { surroundings } from './surroundings.ts'

export const importParameters = {
  /**
   * Imports models, settings, skills, prompts and texts of pi; keys of the named providers, and sessions, only if the
   * person agreed. What is here already stays. `dryRun` changes nothing.
   */
  import_pi: {
    ...surroundings,
    /** pi's agent folder, absolute. Default: `PI_CODING_AGENT_DIR` of `env`, else `~/.pi/agent`. */
    dir: Type.Optional(Type.String({ pattern: '^/' })),
    keys: Type.Optional(Type.Array(Type.String(), { maxItems: 1_000 })),
    sessions: Type.Optional(Type.Boolean()),
    dryRun: Type.Optional(Type.Boolean()),
  },
}

/** One thing of pi. `present`: it is here already, and stays. `left`: `why` it is not imported. */
export const ImportedItem = Type.Object({
  kind: stringEnum(['model', 'setting', 'key', 'skill', 'prompt', 'text', 'session', 'other']),
  name: Type.String(),
  outcome: stringEnum(['imported', 'present', 'left']),
  why: Type.Optional(Type.String()),
  /** True: it is left only because the person has not agreed. */
  needsConsent: Type.Optional(Type.Boolean()),
})
export type ImportedItem = Static<typeof ImportedItem>

export const importResults = {
  /** `dir`: pi's agent folder. In a dry run, `imported` says what would be. */
  import_pi: { dir: Type.String(), items: Type.Array(ImportedItem) },
}
