// Commands about people's keys: for people only, never offered to a model; no answer holds a key.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { Count, ShortId } from '../values/identifiers.ts'
import { stringEnum } from '../schema/schema-helpers.ts'
import { surroundings } from './surroundings.ts'

const provider = Type.String({ minLength: 1, maxLength: 64 })
const key = Type.String({ minLength: 1, maxLength: 16_384 })
const place = stringEnum(['file', 'keychain'])
const notices = Type.Array(Type.Object({ code: Type.String(), message: Type.String() }))

export const authParameters = {
  /**
   * Stores a key for a provider at the address that it has with this environment. `key` is the key itself, `$VARIABLE` or
   * `!command`. Without `add` it takes the place of those that are stored for that provider and address.
   */
  auth_set: { ...surroundings, provider, key, add: Type.Optional(Type.Boolean()) },
  /** Where the keys come from, of each provider that has one, or of one provider. */
  auth_list: { ...surroundings, provider: Type.Optional(provider) },
  /** Removes a stored key, or all that are stored for the provider. */
  auth_remove: { ...surroundings, provider, keyId: Type.Optional(ShortId) },
  /** Asks the provider whether a key is right: this one, or the one that requests would use. Costs no tokens. */
  auth_verify: { ...surroundings, provider, key: Type.Optional(key) },
}

/** Where one key comes from. */
export const KeyOrigin = Type.Object({
  from: stringEnum(['environment', 'file', 'keychain', 'models']),
  kind: stringEnum(['key', 'variable', 'command']),
  /** Of the environment variable. */
  name: Type.Optional(Type.String()),
  /** Of a stored key. */
  keyId: Type.Optional(ShortId),
  /** The address that a stored key is for. */
  origin: Type.Optional(Type.String()),
  /** Its last characters. */
  tail: Type.Optional(Type.String()),
  /** True where requests use it. Several: the first that is not cooling down after a limit. */
  used: Type.Boolean(),
  unusedBecause: Type.Optional(Type.String()),
})
export type KeyOrigin = Readonly<Static<typeof KeyOrigin>>

export const authResults = {
  /** `defaultModel`: what the provider's name alone means, as `provider/id`, where that is known. */
  auth_set: { keyId: ShortId, kept: place, origin: Type.String(), defaultModel: Type.Optional(Type.String()), notices },
  auth_list: { providers: Type.Array(Type.Object({ provider: Type.String(), keys: Type.Array(KeyOrigin) })) },
  auth_remove: { removed: Count },
  /** `unknown`: the endpoint answers, but does not tell whether a key is right. */
  auth_verify: {
    outcome: stringEnum(['valid', 'refused', 'unreachable', 'unknown']),
    message: Type.String(),
  },
}
