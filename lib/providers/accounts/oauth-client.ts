// Signs in with an authorization code and PKCE, and renews tokens.
// Guarantees: state and issuer are checked before a code is used; errors repeat no token.
import * as oauth from 'oauth4webapi'
import { exchangeWith, partiesOf } from './oauth-exchange.ts'
import type { TokenResponse } from './oauth-exchange.ts'
import type { VendorAccess } from './vendor-fetch.ts'

/** The secrets of one browser sign-in. */
export interface BrowserGrant {
  /** The address that a person opens. */
  readonly url: string
  readonly state: string
  readonly verifier: string
  readonly redirectUri: string
}

/** Creates state, verifier and address. @param redirectUri with the port that listens */
export async function beginBrowserGrant(
  { vendor }: VendorAccess,
  { redirectUri, state }: { readonly redirectUri: string; readonly state: string },
): Promise<BrowserGrant> {
  const verifier = oauth.generateRandomCodeVerifier()
  const pkce = { code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' }
  const { authorizeUrl = '', parameters, form } = vendor.browser ?? {}
  const url = new URL(authorizeUrl)
  const own = { response_type: 'code', client_id: vendor.clientId, redirect_uri: redirectUri, state, ...pkce }
  const query = form === 'openrouter' ? { callback_url: redirectUri, ...pkce } : { ...own, ...parameters }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  if (vendor.scope !== undefined) url.searchParams.set('scope', vendor.scope)
  return { url: url.href, state, verifier, redirectUri }
}

/** Creates the state of a sign-in. */
export const newState = oauth.generateRandomState

/** Buys tokens with the code of a callback. @throws Failure kind `auth` if state or issuer are not the expected ones */
export async function exchangeCode(
  access: VendorAccess,
  callback: URLSearchParams,
  { state, verifier, redirectUri }: Pick<BrowserGrant, 'verifier' | 'redirectUri'> & { readonly state?: string },
  signal: AbortSignal,
): Promise<TokenResponse> {
  const { vendor } = access
  const { as, client } = partiesOf(access)
  const parameters = new URLSearchParams(callback)
  if (vendor.issuer === undefined) parameters.delete('iss')
  return exchangeWith(access, 'buy tokens with the code', async (options) => {
    const checked = oauth.validateAuthResponse(as, client, parameters, state ?? oauth.skipStateCheck)
    const more = vendor.browser?.repeatsState === true ? { additionalParameters: { state: state ?? '' } } : {}
    const response = await oauth.authorizationCodeGrantRequest(
      ...([as, client, oauth.None(), checked, redirectUri, verifier] as const),
      { ...options, ...more, signal },
    )
    return oauth.processAuthorizationCodeResponse(as, client, response)
  })
}

/** Renews an access token; the response may hold a new refresh token. */
export function refreshTokens(access: VendorAccess, refresh: string, signal: AbortSignal): Promise<TokenResponse> {
  const { as, client } = partiesOf(access)
  return exchangeWith(access, 'renew the token', async (options) => {
    const response = await oauth.refreshTokenGrantRequest(as, client, oauth.None(), refresh, { ...options, signal })
    return oauth.processRefreshTokenResponse(as, client, response)
  })
}
