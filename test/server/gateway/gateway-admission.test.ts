// Tests who may use the gateway: token, Host, Origin, address, and what each refusal answers.
import { request as httpRequest } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createServer } from '../../../lib/server/create-server.ts'
import { serveGateway } from '../../../lib/server/gateway/serve-gateway.ts'
import { protocolsWithToken } from '../../../lib/server/protocol/gateway-protocols.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import { resultOf } from '../../support/result-of.ts'
import { bearer, openSocket, startGateway, startGatewayOf, token, upgradeStatus } from './gateway-scene.ts'

const app = 'https://app.example'

/** Uses `node:http`, because fetch would set its own `Host`. */
function answerTo(
  url: string,
  headers: Record<string, string>,
  method = 'GET',
): Promise<{ status: number; headers: Record<string, unknown>; body: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(url, { method, headers }, (response) => {
      let body = ''
      response.on('data', (chunk: Buffer) => (body += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}

describe('a WebSocket of the gateway [S11e]', () => {
  it.each<[string, Record<string, string>, string[], number]>([
    ['with the token in a header', bearer, [], 101],
    ['with the token in a subprotocol', {}, protocolsWithToken(token), 101],
    ['without a token', {}, [], 401],
    ['with another token', { authorization: 'Bearer another-token-of-tests' }, [], 401],
    ['with another token in a subprotocol', {}, protocolsWithToken('another-token-of-tests'), 401],
    ['with the beginning of the token', {}, protocolsWithToken(token.slice(0, 5)), 401],
    ['with an empty token', {}, ['rxpi.v1', 'rxpi.token.'], 401],
    ['with two kinds of token, of which the subprotocol counts', bearer, protocolsWithToken('wrong'), 401],
    ['of an allowed page', { origin: app }, protocolsWithToken(token), 101],
    ['of another page', { origin: 'https://evil.example' }, protocolsWithToken(token), 403],
    ['of a page on another port', { origin: `${app}:8443` }, protocolsWithToken(token), 403],
    ['of a page without an origin', { origin: 'null' }, protocolsWithToken(token), 403],
    ['under a name that a page made', { host: 'evil.example' }, protocolsWithToken(token), 403],
    ['under a name of this machine with another port', { host: 'localhost:1' }, protocolsWithToken(token), 403],
    ['under an allowed name', { host: 'agent.example' }, protocolsWithToken(token), 101],
  ])('%s', async (_, headers, protocols, status) => {
    const { wsUrl } = await startGateway({ origins: [app], hosts: ['agent.example'] })
    expect(await upgradeStatus(wsUrl, headers, protocols)).toBe(status)
  })

  it('is refused at another path, and gets the reason', async () => {
    const { url, wsUrl } = await startGateway()
    expect(await upgradeStatus(`${wsUrl}/more`, bearer)).toBe(404)
    expect(await upgradeStatus(wsUrl.replace('/ws', '/health'), bearer)).toBe(404)
    const { status, body } = await answerTo(`${url}/ws`, { connection: 'Upgrade', upgrade: 'websocket' })
    expect({ status, ...(JSON.parse(body) as object) }).toMatchObject({
      status: 401,
      error: { code: 'not_allowed', message: expect.stringContaining('token') as string },
    })
    expect(body).not.toContain(token)
  })

  it('chooses the protocol and never answers the token [GATEWAY-token]', async () => {
    const { wsUrl } = await startGateway()
    const socket = openSocket(wsUrl, {}, protocolsWithToken(token))
    const chosen = await new Promise((resolve) => socket.on('upgrade', ({ headers }) => resolve(headers)))
    expect(chosen).toMatchObject({ 'sec-websocket-protocol': 'rxpi.v1' })
    expect(JSON.stringify(chosen)).not.toContain(token)
  })
})

describe('other requests to the gateway [S11d]', () => {
  it('answers health without a token, and says nothing else [GATEWAY-health]', async () => {
    const { url } = await startGateway()
    const { status, headers, body } = await answerTo(`${url}/health`, {})
    expect({ status, body }).toEqual({ status: 200, body: '{"status":"ok"}' })
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  })

  it.each<[string, string, string, Record<string, string>, number]>([
    ['a page of another site asks for health', 'GET', '/health', { origin: 'https://evil.example' }, 403],
    ['health under a name that a page made', 'GET', '/health', { host: 'evil.example' }, 403],
    ['health with another method', 'POST', '/health', bearer, 405],
    ['a head of what takes POST', 'HEAD', '/ag-ui', bearer, 405],
    ['a head of an unknown path, without a token', 'HEAD', '/nothing', {}, 401],
    ['a head for a page of another site', 'HEAD', '/health', { origin: 'https://evil.example' }, 403],
    ['an unknown path', 'GET', '/', bearer, 404],
    ['an unknown path, without a token', 'GET', '/nothing', {}, 401],
    ['a name that every object has', 'GET', '/constructor', bearer, 404],
    ['the socket without an upgrade', 'GET', '/ws', bearer, 426],
  ])('refuses: %s', async (_, method, path, headers, status) => {
    const { url } = await startGateway()
    expect((await answerTo(url + path, headers, method)).status).toBe(status)
  })

  it('answers the preflight of an allowed page, and that of no other', async () => {
    const { url } = await startGateway({ origins: [app] })
    const allowed = await answerTo(`${url}/ag-ui`, { origin: app, 'access-control-request-method': 'POST' }, 'OPTIONS')
    expect(allowed).toMatchObject({
      status: 204,
      headers: {
        'access-control-allow-origin': app,
        'access-control-allow-headers': 'authorization, content-type, last-event-id',
        vary: 'Origin',
      },
    })
    const other = await answerTo(`${url}/ag-ui`, { origin: 'https://evil.example' }, 'OPTIONS')
    expect(other.status).toBe(403)
    expect(other.headers).not.toHaveProperty('access-control-allow-origin')
  })
})

describe('the address of the gateway [S11b]', () => {
  const server = () => createServer({ sessions: { create: ({ cwd }) => createSession({ cwd, env: {} }) } })
  const env = { RXPI_HTTP_TOKEN: token }

  it('is refused if other machines reach it, unless it is allowed by name', async () => {
    const refused = resultOf(serveGateway(server(), { port: 0, host: '0.0.0.0', env }))
    await expect(refused).rejects.toMatchObject({ code: 'bad_request', data: { field: 'host' } })
    const { url } = await startGatewayOf(server(), { host: '0.0.0.0', unsafeHost: true })
    const { port } = new URL(url)
    expect((await answerTo(`http://127.0.0.1:${port}/health`, {})).status).toBe(200)
    expect((await answerTo(`http://127.0.0.1:${port}/health`, { host: `0.0.0.0:${port}` })).status).toBe(403)
  })

  it('fails with server_running if another program listens there', async () => {
    const { port } = await startGateway()
    const second = resultOf(serveGateway(server(), { port, env }))
    await expect(second).rejects.toMatchObject({
      code: 'server_running',
      message: expect.stringContaining(String(port)) as string,
    })
  })

  it.each(['brief', 'has a space in it, and commas', 'slashes/are/not/tokens'])('refuses the token %j', async (bad) => {
    const refused = resultOf(serveGateway(server(), { port: 0, env: { RXPI_HTTP_TOKEN: bad } }))
    await expect(refused).rejects.toMatchObject({
      code: 'bad_config',
      message: expect.not.stringContaining(bad) as string,
    })
  })
})
