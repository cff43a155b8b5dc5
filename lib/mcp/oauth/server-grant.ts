// Converts the tokens of a sign-in at an MCP server to an account of the key store, and back.
import type {
  AuthorizationServerMetadata,
  OAuthClientInformationMixed,
  OAuthTokens,
} from '@modelcontextprotocol/client'
import type { AccountFacts, AccountTokens } from '../../streams/accounts/account-storage.ts'
import { Failure } from '../../streams/values/failure.ts'
import { isRecord } from '../../streams/values/json.ts'
import type { McpServer } from '../contract/mcp-server.ts'

/** How rxpi is known at the authorization server of one MCP server. */
export interface Registration {
  readonly issuer: string
  /** The address of the authorization server. */
  readonly authorizationServer: string
  readonly metadata: AuthorizationServerMetadata
  readonly client: OAuthClientInformationMixed
  /** The resource indicator that the tokens are for. */
  readonly resource?: string
  /** The scopes of the tokens, separated by spaces. */
  readonly scope?: string
}

/** Result of a sign-in, in the form of the key store. */
export interface McpGrant {
  readonly tokens: AccountTokens
  readonly facts: AccountFacts
  /** Scheme, host and port that the access token may be sent to. */
  readonly origin: string
}

/** The name of the server's account in the key store; undefined for a program. */
export function accountName({ transport }: Pick<McpServer, 'transport'>): string | undefined {
  const url = transport.kind === 'stdio' ? null : URL.parse(transport.url)
  return url === null ? undefined : accountAt(url)
}

/** An account is for one address, whatever the server is called. */
export function accountAt({ origin, pathname }: URL): string {
  return `mcp:${origin}${pathname}`
}

export function toGrant(serverUrl: URL, tokens: OAuthTokens, registration: Registration): McpGrant {
  const { access_token: access, refresh_token: refresh, expires_in: seconds, scope = registration.scope } = tokens
  const { issuer, resource } = registration
  return {
    tokens: {
      access,
      ...(refresh !== undefined && { refresh }),
      registration: JSON.stringify({ ...registration, metadata: neededOf(registration.metadata), scope, resource }),
    },
    facts: {
      ...(seconds !== undefined &&
        Number.isFinite(seconds) && { expiresAt: Date.now() + Math.max(0, seconds) * 1_000 }),
      name: new URL(issuer).host,
    },
    origin: serverUrl.origin,
  }
}

/** Only what a renewal reads: a metadata document may have a megabyte. */
function neededOf(metadata: AuthorizationServerMetadata): Partial<AuthorizationServerMetadata> {
  const { issuer, authorization_endpoint, token_endpoint, response_types_supported } = metadata
  const { token_endpoint_auth_methods_supported: methods } = metadata
  return {
    issuer,
    authorization_endpoint,
    token_endpoint,
    response_types_supported,
    ...(methods !== undefined && { token_endpoint_auth_methods_supported: methods }),
  }
}

/** @throws Failure `mcp_error` of kind `auth` if the account has none that rxpi wrote */
export function readRegistration({ registration }: AccountTokens): Registration {
  const value = parse(registration)
  if (isRegistration(value)) return value
  throw new Failure('mcp_error', 'The stored account is incomplete', { data: { kind: 'auth' } })
}

function parse(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined // the message must not quote it
  }
}

function isRegistration(value: unknown): value is Registration {
  if (!isRecord(value) || !isRecord(value['client']) || !isRecord(value['metadata'])) return false
  const { issuer, authorizationServer, client, metadata } = value
  const texts = [issuer, authorizationServer, client['client_id'], metadata['token_endpoint']]
  return texts.every((text) => typeof text === 'string')
}
