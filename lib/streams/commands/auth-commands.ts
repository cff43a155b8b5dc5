// Schemas of the commands that manage API keys.
// Guarantees: no answer contains a key, and no model is offered these commands.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { Count, ShortId, Timestamp } from '../values/identifiers.ts'
import { stringEnum } from '../schema/schema-helpers.ts'
import { surroundings } from './surroundings.ts'

const provider = Type.String({ minLength: 1, maxLength: 64 })
const key = Type.String({ minLength: 1, maxLength: 16_384 })
const keyStore = stringEnum(['file', 'keychain'])
const notices = Type.Array(Type.Object({ code: Type.String(), message: Type.String() }))

export const authParameters = {
  /**
   * Stores a key for a provider, bound to the address that the provider has in this environment. `key` is the key
   * itself, `$VARIABLE` or `!command`. Without `add` it replaces the keys stored for that provider and address.
   */
  auth_set: { ...surroundings, provider, key, add: Type.Optional(Type.Boolean()) },
  /** Lists the source of each key, for all providers that have one or for one provider. */
  auth_list: { ...surroundings, provider: Type.Optional(provider) },
  /** Removes one stored key, or all keys stored for the provider. */
  auth_remove: { ...surroundings, provider, keyId: Type.Optional(ShortId) },
  /** Checks a key with the provider: the key in the command, or the one that requests would use. Costs no tokens. */
  auth_verify: { ...surroundings, provider, key: Type.Optional(key) },
}

/** An account that a person signed in to. */
export const AccountInfo = Type.Object({
  accountId: ShortId,
  /** Name or address of the account, as far as the vendor reports it. */
  name: Type.Optional(Type.String()),
  plan: Type.Optional(Type.String()),
  /** When the present token expires; rxpi renews it before. */
  expiresAt: Type.Optional(Timestamp),
  /** The vendor refused to renew the token: only a new sign-in helps. */
  isSignedOut: Type.Optional(Type.Literal(true)),
})
export type AccountInfo = Readonly<Static<typeof AccountInfo>>

/** The source of one key. */
export const KeyOrigin = Type.Object({
  from: stringEnum(['environment', 'file', 'keychain', 'models']),
  kind: stringEnum(['key', 'variable', 'command']),
  /** Name of the environment variable. */
  name: Type.Optional(Type.String()),
  /** True if the variable is one of the environment with which a person started the server. */
  ofServer: Type.Optional(Type.Boolean()),
  /** Id of a stored key. */
  keyId: Type.Optional(ShortId),
  /** The address that a stored key may be sent to. */
  origin: Type.Optional(Type.String()),
  /** The key's last characters. */
  tail: Type.Optional(Type.String()),
  /**
   * True if requests use this key. If several do, the first one that is not cooling down after a rate limit is used.
   */
  used: Type.Boolean(),
  /** The account whose token stands for a key. */
  account: Type.Optional(AccountInfo),
  unusedBecause: Type.Optional(Type.String()),
})
export type KeyOrigin = Readonly<Static<typeof KeyOrigin>>

export const authResults = {
  /** `defaultModel`: the model that the provider's name alone selects, as `provider/id`, if known. */
  auth_set: {
    keyId: ShortId,
    kept: keyStore,
    origin: Type.String(),
    defaultModel: Type.Optional(Type.String()),
    notices,
  },
  auth_list: { providers: Type.Array(Type.Object({ provider: Type.String(), keys: Type.Array(KeyOrigin) })) },
  auth_remove: { removed: Count },
  /** `unknown`: the endpoint answers, but does not say whether the key is valid. */
  auth_verify: {
    outcome: stringEnum(['valid', 'refused', 'unreachable', 'unknown']),
    message: Type.String(),
  },
}
