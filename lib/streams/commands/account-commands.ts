// Schemas of the commands that sign in to accounts, and list and remove them.
// Guarantees: no answer contains a token or a code that buys one, and no model is offered these commands.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { Count, ShortId, Timestamp } from '../values/identifiers.ts'
import { stringEnum } from '../schema/schema-helpers.ts'
import { AccountInfo, authParameters, authResults } from './auth-commands.ts'
import { surroundings } from './surroundings.ts'

/** Of a sign-in to an MCP server: `mcp:` and its name. */
const provider = Type.String({ minLength: 1, maxLength: 128 })
const method = stringEnum(['browser', 'device'])
const notices = Type.Array(Type.Object({ code: Type.String(), message: Type.String() }))

/** A sign-in as it is now; `revision` grows with each change. */
export const LoginState = Type.Object({
  loginId: ShortId,
  provider,
  /** Account's name for people. */
  title: Type.String(),
  method,
  revision: Count,
  /**
   * `starting` · `open_url`: a person opens `url` · `device_code`: a person types `userCode` at `url` · `finishing`: the
   * vendor gives the tokens · `done`, `failed`, `cancelled`: over.
   */
  step: stringEnum(['starting', 'open_url', 'device_code', 'finishing', 'done', 'failed', 'cancelled']),
  /** A sentence about the vendor's terms, if they are known to be against the sign-in. */
  terms: Type.Optional(Type.String()),
  /** Page of the vendor. */
  url: Type.Optional(Type.String()),
  userCode: Type.Optional(Type.String()),
  /** False: no address of this machine can get the answer; the person pastes it. */
  listens: Type.Optional(Type.Boolean()),
  /** When the sign-in ends without success. */
  expiresAt: Type.Optional(Timestamp),
  /** With `done`. */
  account: Type.Optional(AccountInfo),
  /** With `done`: the model of the provider that is used if no other is named. */
  defaultModel: Type.Optional(Type.String()),
  /** With `done`: where the tokens are, and whether another key precedes the account. */
  notices: Type.Optional(notices),
  /** With `failed`. */
  failure: Type.Optional(Type.Object({ code: Type.String(), message: Type.String() })),
})
export type LoginState = Readonly<Static<typeof LoginState>>

const login = { login: LoginState }
const loginId = ShortId

/** The commands about keys and accounts. */
export const credentialParameters = {
  ...authParameters,
  /**
   * Begins a sign-in on the server. A sign-in of the same provider, method and domain that is not over is answered in its
   * place, so that a client that lost its connection finds it.
   */
  auth_login: {
    ...surroundings,
    provider,
    /** @default the vendor's usual one */
    method: Type.Optional(method),
    /** Host of a company's own installation. */
    domain: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])$' })),
  },
  /** Answers when the sign-in has another revision, is over, or after 25 s. */
  auth_login_wait: { loginId, revision: Count },
  /** Gives the address to which the vendor's page led, or the code that it showed. */
  auth_login_input: { loginId, text: Type.String({ minLength: 1, maxLength: 16_384 }) },
  /** Ends the sign-in; nothing is stored. */
  auth_login_cancel: { loginId },
  /** Lists the vendors that rxpi can sign in to, with the stored accounts. */
  auth_accounts: {},
  /** Removes the account of a provider from this machine. */
  auth_logout: { provider },
}

export const credentialResults = {
  ...authResults,
  auth_login: login,
  auth_login_wait: login,
  auth_login_input: login,
  auth_login_cancel: login,
  auth_accounts: {
    vendors: Type.Array(
      Type.Object({
        provider,
        title: Type.String(),
        methods: Type.Array(method),
        account: Type.Optional(AccountInfo),
        /** No key opens the provider. */
        onlyAccount: Type.Optional(Type.Literal(true)),
      }),
    ),
  },
  auth_logout: { removed: Count },
}
