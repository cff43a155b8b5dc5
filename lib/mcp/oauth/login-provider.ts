// Holds what the SDK's OAuth learns during one sign-in; the key store gets the outcome alone.
import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import { Failure } from '../../streams/values/failure.ts'
import type { McpOAuth } from '../contract/mcp-server.ts'
import type { Registration } from './server-grant.ts'

export interface LoginProvider extends OAuthClientProvider {
  /** The page of the sign-in. @throws Failure `mcp_error` if the SDK has not named one */
  authorizationUrl(): URL
  /** The outcome. @throws Failure `mcp_error` before there is one */
  outcome(): { readonly tokens: StoredOAuthTokens; readonly registration: Registration }
}

export interface LoginProviderOptions {
  readonly redirectUrl: string
  readonly state: string
  readonly oauth: McpOAuth
}

export function loginProvider({ redirectUrl, state, oauth }: LoginProviderOptions): LoginProvider {
  let page: URL | undefined
  let verifier: string | undefined
  let client = configuredClient(oauth)
  let discovery: OAuthDiscoveryState | undefined
  let tokens: StoredOAuthTokens | undefined
  let resource: string | undefined
  const document = documentOf(oauth)
  return {
    redirectUrl,
    ...(document !== undefined && { clientMetadataUrl: document }),
    clientMetadata: metadataOf(redirectUrl, oauth),
    state: () => state,
    // a client of the configuration is for whatever issuer the server names
    clientInformation: (context) => client && { ...client, issuer: client.issuer ?? context?.issuer ?? missing() },
    saveClientInformation: (information) => void (client = information),
    tokens: () => undefined, // a sign-in begins anew
    saveTokens: (granted) => void (tokens = granted),
    redirectToAuthorization: (url) => void (page = url),
    saveCodeVerifier: (code) => void (verifier = code),
    codeVerifier: () => verifier ?? missing(),
    discoveryState: () => discovery,
    saveDiscoveryState: (found) => void (discovery = found),
    saveResourceUrl: (url) => void (resource = url),
    authorizationUrl: () => page ?? missing(),
    outcome: () => {
      const metadata = discovery?.authorizationServerMetadata
      if (tokens === undefined || client === undefined || discovery === undefined || metadata === undefined)
        return missing()
      const { authorizationServerUrl: authorizationServer } = discovery
      const { issuer } = metadata
      const registration = {
        issuer,
        authorizationServer,
        metadata,
        client,
        ...(resource !== undefined && { resource }),
      }
      return { tokens, registration }
    },
  }
}

function missing(): never {
  throw new Failure('mcp_error', 'The authorization server does not describe itself, or skipped a step of the sign-in')
}

/** A client that is registered already. */
function configuredClient({ clientId, clientSecret }: McpOAuth): StoredOAuthClientInformation | undefined {
  if (clientId === undefined || documentOf({ clientId }) !== undefined) return undefined
  return { client_id: clientId, ...(clientSecret !== undefined && { client_secret: clientSecret }) }
}

/** The id of a client may be the address of its description. */
function documentOf({ clientId }: McpOAuth): string | undefined {
  return clientId?.startsWith('https://') === true ? clientId : undefined
}

function metadataOf(redirectUrl: string, { scopes, clientSecret }: McpOAuth): OAuthClientMetadata {
  return {
    client_name: 'rxpi',
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    application_type: 'native',
    token_endpoint_auth_method: clientSecret === undefined ? 'none' : 'client_secret_post',
    ...(scopes !== undefined && { scope: scopes.join(' ') }),
  }
}
