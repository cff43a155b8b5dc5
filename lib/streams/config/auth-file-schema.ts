// Schema of `auth.json`, the file of stored keys.
// A key in the keychain has an entry without a value.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { ShortId } from '../values/identifiers.ts'

const closed = { additionalProperties: false }

export const AuthFileEntry = Type.Object(
  {
    id: ShortId,
    /** Scheme, host and port that the key may be sent to. */
    origin: Type.String({ pattern: '^https?://[^/\\s]+$' }),
    /** The key, `$VARIABLE` or `!command`; absent if the machine's keychain holds it. */
    value: Type.Optional(Type.String({ minLength: 1 })),
  },
  closed,
)
export type AuthFileEntry = Readonly<Static<typeof AuthFileEntry>>

/** `auth.json` in `$RXPI_HOME`. */
export const AuthFile = Type.Object(
  { v: Type.Literal(1), providers: Type.Record(Type.String(), Type.Array(AuthFileEntry)) },
  { ...closed, $id: 'AuthFile' },
)
export type AuthFile = Readonly<Static<typeof AuthFile>>
