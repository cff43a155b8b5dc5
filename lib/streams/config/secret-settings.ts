// Schema of the setting `secrets`.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { stringEnum } from '../schema/schema-helpers.ts'

/** Secrets in outputs and for commands. */
export const SecretSettings = Type.Object(
  {
    /** False: outputs show secrets. Default true. */
    redact: Type.Optional(Type.Boolean()),
    /** `keep`: commands get the keys of model providers as well. Default `drop`. */
    env: Type.Optional(stringEnum(['drop', 'keep'])),
    /** Further variables whose values are secrets, treated like the keys of providers. */
    names: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 1_000 })),
  },
  { additionalProperties: false },
)
export type SecretSettings = Static<typeof SecretSettings>
