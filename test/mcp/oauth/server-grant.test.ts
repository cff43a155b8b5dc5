// Tests what is stored of a sign-in to an MCP server, and what is read back.
import { describe, expect, it } from 'vitest'
import { accountAt, readRegistration, toGrant } from '../../../lib/mcp/oauth/server-grant.ts'
import type { Registration } from '../../../lib/mcp/oauth/server-grant.ts'

const server = new URL('https://mcp.example.com:8443/mcp?x=1')
const needed = {
  issuer: 'https://auth.example.com/tenant',
  authorization_endpoint: 'https://auth.example.com/authorize',
  token_endpoint: 'https://auth.example.com/token',
  response_types_supported: ['code'],
}
const registration: Registration = {
  issuer: needed.issuer,
  authorizationServer: 'https://auth.example.com',
  metadata: { ...needed, scopes_supported: ['x'.repeat(1_000)] },
  client: { client_id: 'client-1' },
  resource: 'https://mcp.example.com/mcp',
  scope: 'read',
}
const tokens = { access_token: 'a', token_type: 'Bearer' } as const

describe('a grant', () => {
  it('has the tokens, their end, the host of the issuer and the origin of the server', () => {
    const before = Date.now()
    const {
      tokens: stored,
      facts,
      origin,
    } = toGrant(server, { ...tokens, refresh_token: 'r', expires_in: 10 }, registration)
    expect(stored).toMatchObject({ access: 'a', refresh: 'r' })
    expect([facts.name, origin]).toEqual(['auth.example.com', 'https://mcp.example.com:8443'])
    expect((facts.expiresAt ?? 0) - before).toBeGreaterThanOrEqual(10_000)
    expect((facts.expiresAt ?? 0) - Date.now()).toBeLessThanOrEqual(10_000)
    expect(toGrant(server, tokens, registration).tokens).not.toHaveProperty('refresh')
  })

  it.each([undefined, Number.NaN, Infinity])('has no end if the server says %s', (seconds) => {
    const granted = { ...tokens, ...(seconds !== undefined && { expires_in: seconds }) }
    expect(toGrant(server, granted, registration).facts).not.toHaveProperty('expiresAt')
  })

  it('has ended at once if the server says a negative time', () => {
    const before = Date.now()
    expect(toGrant(server, { ...tokens, expires_in: -100 }, registration).facts.expiresAt).toBeGreaterThanOrEqual(
      before,
    )
  })

  it('keeps the scope, the methods of the client and nothing that a renewal does not read', () => {
    const methods = ['client_secret_post']
    const metadata = { ...registration.metadata, token_endpoint_auth_methods_supported: methods }
    const read = (scope?: string) =>
      readRegistration(
        toGrant(server, { ...tokens, ...(scope !== undefined && { scope }) }, { ...registration, metadata }).tokens,
      )
    expect(read()).toEqual({ ...registration, metadata: { ...needed, token_endpoint_auth_methods_supported: methods } })
    expect(read('write').scope).toBe('write')
    expect(readRegistration(toGrant(server, tokens, registration).tokens).metadata).toEqual(needed)
  })
})

describe('a stored registration', () => {
  const { issuer, authorizationServer, client, metadata } = registration
  it.each<[string, string | undefined]>([
    ['none', undefined],
    ['no JSON', 'secret{'],
    ['a text', '"secret"'],
    ['no client', JSON.stringify({ issuer, authorizationServer, metadata })],
    ['no client id', JSON.stringify({ issuer, authorizationServer, metadata, client: {} })],
    ['no description', JSON.stringify({ issuer, authorizationServer, client })],
    ['no address of tokens', JSON.stringify({ issuer, authorizationServer, client, metadata: {} })],
    ['no issuer', JSON.stringify({ authorizationServer, client, metadata })],
    ['no server', JSON.stringify({ issuer, client, metadata })],
  ])('wants a new sign-in if there is %s', (_, text) => {
    const read = (): unknown => readRegistration({ access: 'a', ...(text !== undefined && { registration: text }) })
    expect(read).toThrow(
      expect.objectContaining({ message: 'The stored account is incomplete', data: { kind: 'auth' } }) as Error,
    )
  })
})

it('an account is for one address without its query', () => {
  expect(accountAt(server)).toBe('mcp:https://mcp.example.com:8443/mcp')
})
