// Schemas of the command about trust of a folder.
// No model is offered it (docs/design/security.md#S1).
import { Type } from '@sinclair/typebox'
import { stringEnum } from '../schema/schema-helpers.ts'
import { Count } from '../values/identifiers.ts'
import { surroundings } from './surroundings.ts'

const digest = Type.String({ pattern: '^[0-9a-f]{64}$' })

export const trustParameters = {
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

export const trustResults = {
  trust_folder: {
    /** The project of `cwd`, a real path. */
    folder: Type.String(),
    /** True if the project's own configuration counts in sessions that open from now on. */
    trusted: Type.Boolean(),
    /** `none`: there is nothing to trust. `changed`: the files are not those that were trusted. */
    state: stringEnum(['none', 'untrusted', 'changed', 'never', 'trusted']),
    /** Every file that trust gates, by its path relative to `folder`, with the SHA-256 of its content. */
    files: Type.Array(Type.Object({ path: Type.String(), bytes: Count, digest })),
    /** SHA-256 over all paths and contents; absent if there are none, or they cannot be trusted. */
    digest: Type.Optional(digest),
    /** Why the files cannot be trusted. */
    problem: Type.Optional(Type.String()),
  },
}
