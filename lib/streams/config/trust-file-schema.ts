// Schema of `trust.json`, the file with a person's answers about the configuration of folders.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

const closed = { additionalProperties: false }
/** Unix ms. */
const at = Type.Number({ minimum: 0 })

/** `trusted` holds for exactly the files with this digest; `never` until the person changes it. */
export const StoredAnswer = Type.Union([
  Type.Object({ answer: Type.Literal('trusted'), digest: Type.String({ pattern: '^[0-9a-f]{64}$' }), at }, closed),
  Type.Object({ answer: Type.Literal('never'), at }, closed),
])
export type StoredAnswer = Readonly<Static<typeof StoredAnswer>>

/** `trust.json` in `$RXPI_HOME`; folders by their real path. */
export const TrustFile = Type.Object(
  { v: Type.Literal(1), folders: Type.Record(Type.String(), StoredAnswer) },
  { ...closed, $id: 'TrustFile' },
)
export type TrustFile = Readonly<Static<typeof TrustFile>>
