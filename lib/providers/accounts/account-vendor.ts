// Defines the facts about a vendor that signs people in to a plan, and what a sign-in yields.
import type { AccountFacts, AccountTokens } from '../../streams/accounts/account-storage.ts'

/** Facts about a vendor's sign-in. `{domain}` in an address stands for the host of a company's installation. */
export interface AccountVendor {
  /** The provider whose requests use the account. */
  readonly provider: string
  /** The name for people. */
  readonly title: string
  /** A sentence for people, if the vendor's terms are known to be against this sign-in. */
  readonly terms?: string
  /** Scheme, host and port of the API that gets the access token. */
  readonly origin: string
  readonly clientId: string
  readonly scope?: string
  /** The issuer that the vendor's responses name; absent: they name none that is known. */
  readonly issuer?: string
  /** The token endpoint. */
  readonly tokenUrl: string
  /** The body of requests to the token endpoint. @default form */
  readonly tokenBody?: 'form' | 'json'
  /** Headers of requests to the vendor's endpoints. */
  readonly headers?: Readonly<Record<string, string>>
  /** Sign-in with a browser on this machine, or with a pasted address. */
  readonly browser?: BrowserFacts
  /** Sign-in with a code that a person types in any browser. */
  readonly device?: DeviceFacts
  /** A step of its own after the grant, and at each renewal. */
  readonly exchange?: 'copilot' | 'meta'
  /** The host without a company's installation; absent: there are none. */
  readonly domain?: string
}

export interface BrowserFacts {
  readonly authorizeUrl: string
  /** The address at this machine that the vendor knows for this client; without a port any port is allowed. */
  readonly redirect: { readonly host: 'localhost' | '127.0.0.1'; readonly port?: number; readonly path: string }
  /** Further parameters of the authorization request. */
  readonly parameters?: Readonly<Record<string, string>>
  /** `openrouter`: the vendor knows no state, and its code buys a key. */
  readonly form?: 'openrouter'
  /** The token request repeats the state. */
  readonly repeatsState?: boolean
}

export interface DeviceFacts {
  readonly startUrl: string
  readonly parameters?: Readonly<Record<string, string>>
  /** The addresses of OpenAI's own form of this sign-in. @default the standard's form */
  readonly codex?: { readonly pollUrl: string; readonly pageUrl: string; readonly redirectUrl: string }
}

/** Ways to sign in, the usual one first. */
export function loginMethods({ browser, device }: AccountVendor): readonly ('browser' | 'device')[] {
  return [...(browser === undefined ? [] : ['browser' as const]), ...(device === undefined ? [] : ['device' as const])]
}

/** Result of a sign-in or a renewal. */
export interface AccountGrant {
  readonly tokens: AccountTokens
  readonly facts: AccountFacts
  /** Scheme, host and port that the access token may be sent to. */
  readonly origin: string
}
