// Tests what a sign-in tells an authorization server about rxpi, and when it has an outcome.
import { describe, expect, it } from 'vitest'
import { loginProvider } from '../../../lib/mcp/oauth/login-provider.ts'
import type { McpOAuth } from '../../../lib/mcp/contract/mcp-server.ts'

const provider = (oauth: McpOAuth = {}) => loginProvider({ redirectUrl: 'http://127.0.0.1:7/', state: 's', oauth })
const document = 'https://rxpi.example.com/client.json'

describe('a sign-in', () => {
  it('registers a native client for its own redirect address, by a code with renewal', () => {
    expect(provider().clientMetadata).toEqual({
      client_name: 'rxpi',
      redirect_uris: ['http://127.0.0.1:7/'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      application_type: 'native',
      token_endpoint_auth_method: 'none',
    })
    expect(provider({ clientSecret: 'x', scopes: ['read', 'write'] }).clientMetadata).toMatchObject({
      token_endpoint_auth_method: 'client_secret_post',
      scope: 'read write',
    })
  })

  it.each<[McpOAuth, unknown]>([
    [{}, undefined],
    [{ clientId: document }, undefined],
    [{ clientId: 'mine' }, { client_id: 'mine', issuer: 'https://auth.example.com' }],
    [{ clientId: 'mine', clientSecret: 'x' }, { client_id: 'mine', client_secret: 'x', issuer: 'https://auth.example.com' }], // prettier-ignore
  ])('of %j uses the client %j', (oauth, client) => {
    expect(provider(oauth).clientInformation({ issuer: 'https://auth.example.com' })).toEqual(client)
  })

  it('names the address of its description if that is its id', () => {
    expect(provider({ clientId: document }).clientMetadataUrl).toBe(document)
    expect(provider({ clientId: 'mine' })).not.toHaveProperty('clientMetadataUrl')
  })

  it('has an outcome once tokens, a client and the description of the server are there', () => {
    const issuer = 'https://auth.example.com'
    const own = provider()
    const metadata = { issuer, authorization_endpoint: `${issuer}/a`, token_endpoint: `${issuer}/t`, response_types_supported: ['code'] } // prettier-ignore
    const client = { client_id: 'c', issuer }
    const tokens = { access_token: 't', token_type: 'bearer', issuer }
    const steps = [
      () => own.saveTokens(tokens),
      () => own.saveClientInformation?.(client),
      () => own.saveDiscoveryState?.({ authorizationServerUrl: issuer }),
      () => own.saveDiscoveryState?.({ authorizationServerUrl: issuer, authorizationServerMetadata: metadata }),
    ]
    for (const step of steps) {
      expect(() => own.outcome()).toThrow('does not describe itself')
      void step()
    }
    const registration = { issuer, authorizationServer: issuer, metadata, client }
    expect(own.outcome()).toEqual({ tokens, registration })
    void own.saveResourceUrl?.('https://mcp.example.com/mcp')
    expect(own.outcome().registration).toEqual({ ...registration, resource: 'https://mcp.example.com/mcp' })
  })
})
