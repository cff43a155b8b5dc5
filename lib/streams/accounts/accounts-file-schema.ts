// Schema of `accounts.json`, the file of accounts that a person signed in to.
// An account whose tokens are in the keychain has an entry without them.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { ShortId, Timestamp } from '../values/identifiers.ts'

const closed = { additionalProperties: false }
const text = Type.String({ minLength: 1, maxLength: 1_024 })
const token = Type.String({ minLength: 1, maxLength: 65_536 })

export const AccountFileTokens = Type.Object(
  {
    access: token,
    refresh: Type.Optional(token),
    /** Of an account at an MCP server: the registration of rxpi there, as JSON. */
    registration: Type.Optional(token),
  },
  closed,
)

/** An account as the file has it. */
export const AccountFileEntry = Type.Object(
  {
    id: ShortId,
    /** Scheme, host and port that the access token may be sent to. */
    origin: Type.String({ pattern: '^https?://[^/\\s]+$' }),
    /** Absent if the machine's keychain holds them. */
    tokens: Type.Optional(AccountFileTokens),
    /** When these tokens were stored: tells processes that another one renewed them. */
    renewedAt: Timestamp,
    /** Absent: the access token does not expire. */
    expiresAt: Type.Optional(Timestamp),
    /** The vendor refused to renew the tokens. */
    isSignedOut: Type.Optional(Type.Literal(true)),
    /** Name or address of the account, as the vendor reports it. */
    name: Type.Optional(text),
    plan: Type.Optional(text),
    /** The vendor's id of the account, for vendors whose requests name it. */
    accountId: Type.Optional(text),
    /** The address of this account's API, for vendors that have several. */
    baseUrl: Type.Optional(Type.String({ pattern: '^https?://[^\\s]+$', maxLength: 1_024 })),
    /** Host of a company's own installation. */
    domain: Type.Optional(text),
    /** Ids of the models that this account may use, for vendors that report them. */
    models: Type.Optional(Type.Array(text, { maxItems: 1_000 })),
  },
  closed,
)
export type AccountFileEntry = Readonly<Static<typeof AccountFileEntry>>

/** `accounts.json` in `$RXPI_HOME`: one account for each provider. */
export const AccountsFile = Type.Object(
  { v: Type.Literal(1), providers: Type.Record(Type.String(), AccountFileEntry) },
  { ...closed, $id: 'AccountsFile' },
)
export type AccountsFile = Readonly<Static<typeof AccountsFile>>
