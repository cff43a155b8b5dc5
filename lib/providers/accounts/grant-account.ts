// Turns a vendor's tokens into an account: its expiry, name, plan and address.
// It also runs the steps of vendors whose identity token first buys a token for the API.
import type { AccountFacts, AccountTokens } from '../../streams/accounts/account-storage.ts'
import { Failure } from '../../streams/values/failure.ts'
import { isRecord } from '../../streams/values/json.ts'
import type { AccountGrant } from './account-vendor.ts'
import { refreshTokens } from './oauth-client.ts'
import type { TokenResponse } from './oauth-exchange.ts'
import { copilotGrant } from './copilot-grant.ts'
import { sendToVendor, vendorFailure } from './vendor-fetch.ts'
import type { VendorAccess } from './vendor-fetch.ts'

/** Seconds that an access token lives if the vendor does not say so. */
const usualLifetimeS = 3_600
const longestFact = 1_024
const metaKeyUrl = 'https://api.meta.ai/muse-code/key'
const metaKeyLifetimeMs = 24 * 3_600_000

/** The account of a first token response. */
export async function grantAccount(
  access: VendorAccess,
  response: TokenResponse,
  signal: AbortSignal,
): Promise<AccountGrant> {
  const { exchange } = access.vendor
  if (exchange === 'copilot') return copilotGrant(access, response.access_token, { signal })
  if (exchange === 'meta') return metaGrant(access, response.access_token, signal)
  return standardGrant(access, response)
}

/** Renews the tokens of an account. @throws Failure kind `auth` if the vendor refuses */
export async function renewAccount(
  access: VendorAccess,
  { refresh }: AccountTokens,
  signal: AbortSignal,
): Promise<AccountGrant> {
  const { exchange, title } = access.vendor
  if (refresh === undefined) {
    const message = `${title} gave no means to renew its token; sign in again.`
    throw new Failure('provider_error', message, { data: { kind: 'auth' } })
  }
  if (exchange === 'copilot') return copilotGrant(access, refresh, { signal })
  if (exchange === 'meta') return metaGrant(access, refresh, signal)
  return standardGrant(access, await refreshTokens(access, refresh, signal), refresh)
}

/** Buys OpenRouter's lasting key with a code. */
export async function openRouterGrant(
  access: VendorAccess,
  { code, verifier }: { readonly code: string; readonly verifier: string },
  signal: AbortSignal,
): Promise<AccountGrant> {
  const json = { code, code_verifier: verifier, code_challenge_method: 'S256' }
  const response = await sendToVendor(access, { url: access.vendor.tokenUrl, json, signal })
  const key = textOf(response.body?.['key'])
  if (response.status !== 200 || key === undefined) throw vendorFailure(access, 'make a key', response)
  return { tokens: { access: key }, facts: {}, origin: access.vendor.origin }
}

/** Meta's identity token lasts, and buys a key for a day. */
async function metaGrant(access: VendorAccess, identity: string, signal: AbortSignal): Promise<AccountGrant> {
  const response = await sendToVendor(access, {
    url: metaKeyUrl,
    headers: { authorization: `Bearer ${identity}`, 'x-api-version': '1.0.0' },
    json: {},
    signal,
  })
  const key = textOf(response.body?.['api_key'])
  if (response.status !== 200 || key === undefined) throw vendorFailure(access, 'make a key for the API', response)
  const facts = { expiresAt: Date.now() + metaKeyLifetimeMs }
  return { tokens: { access: key, refresh: identity }, facts, origin: access.vendor.origin }
}

/** @param earlier the refresh token so far: it stays if the response has none */
function standardGrant({ vendor }: VendorAccess, response: TokenResponse, earlier?: string): AccountGrant {
  const { access_token: token, refresh_token: refresh = earlier, expires_in: expiresInS } = response
  const lifetimeS = expiresInS ?? (refresh === undefined ? undefined : usualLifetimeS)
  const expiry = lifetimeS === undefined ? {} : { expiresAt: Date.now() + lifetimeS * 1_000 }
  const facts = vendor.provider === 'openai-codex' ? chatGptFacts(token) : { ...nameOf(response) }
  return {
    tokens: { access: token, ...(refresh === undefined ? {} : { refresh }) },
    facts: { ...expiry, ...facts },
    origin: vendor.origin,
  }
}

/** Anthropic names the account beside the tokens. */
function nameOf({ account }: TokenResponse): AccountFacts {
  const name = isRecord(account) ? textOf(account['email_address']) : undefined
  return name === undefined ? {} : { name: name.slice(0, longestFact) }
}

/** ChatGPT's access token names account, plan and address. @throws Failure if it names no account */
function chatGptFacts(token: string): AccountFacts {
  const claims = tokenClaims(token)
  const auth = claims['https://api.openai.com/auth']
  const profile = claims['https://api.openai.com/profile']
  const accountId = isRecord(auth) ? textOf(auth['chatgpt_account_id']) : undefined
  if (accountId === undefined) {
    const message = 'The token of ChatGPT names no account: this account has no plan that covers Codex.'
    throw new Failure('provider_error', message, { data: { kind: 'auth' } })
  }
  const plan = isRecord(auth) ? textOf(auth['chatgpt_plan_type']) : undefined
  const name = isRecord(profile) ? textOf(profile['email']) : undefined
  return {
    accountId: accountId.slice(0, longestFact),
    ...(plan === undefined ? {} : { plan: plan.slice(0, longestFact) }),
    ...(name === undefined ? {} : { name: name.slice(0, longestFact) }),
  }
}

/** The claims of a JWT, unverified: they come from the vendor's own answer. */
function tokenClaims(token: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))
    return isRecord(value) ? value : {}
  } catch {
    return {} // no JWT; the message must not quote it
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
