// Tests the requests of a sign-in: where they may go, how long an answer may be, what a refusal says.
import { describe, expect, it } from 'vitest'
import { isAllowedFor, oauthFetch } from '../../../lib/mcp/oauth/oauth-fetch.ts'

describe('a request of a sign-in', () => {
  it.each([
    ['https://auth.example.com/', 'https://mcp.example.com/', true],
    ['http://auth.example.com/', 'https://mcp.example.com/', false],
    ['http://auth.example.com/', 'http://localhost/', false],
    ['ftp://localhost/', 'http://localhost/', false],
    ['http://127.0.0.1:9/', 'http://localhost:8/', true],
    ['https://127.0.0.1:9/', 'http://localhost:8/', true],
    ['http://localhost/', 'http://127.8.8.8/', true],
    ['http://localhost/', 'http://a.localhost/', true],
    ['http://localhost/', 'http://[::1]/', true],
    ['https://localhost/', 'https://mcp.example.com/', false],
    ['https://127.0.0.1/', 'https://mcp.example.com/', false],
    ['https://127.9.9.9/', 'https://mcp.example.com/', false],
    ['https://a.localhost/', 'https://mcp.example.com/', false],
    ['https://[::1]/', 'https://mcp.example.com/', false],
    ['http://localhost/', 'https://localhost.example.com/', false],
  ])('to %s for a server at %s: %s [MCP-login-local]', async (url, server, isAllowed) => {
    expect(isAllowedFor(new URL(url), new URL(server))).toBe(isAllowed)
    const { signal } = new AbortController()
    const sent: string[] = []
    const fetch = (input: string | URL | Request) => {
      sent.push(input instanceof Request ? input.url : input.toString())
      return Promise.resolve(new Response('{}'))
    }
    const answer = oauthFetch({ url: new URL(server), signal, fetch })(url)
    if (isAllowed) expect((await answer).status).toBe(200)
    else await expect(answer).rejects.toThrow('not allowed')
    expect(sent).toEqual(isAllowed ? [url] : [])
  })

  const at = (response: () => Response, init: RequestInit = {}) =>
    oauthFetch({
      url: new URL('https://mcp.example.com'),
      signal: new AbortController().signal,
      fetch: () => Promise.resolve(response()),
    })('https://auth.example.com/token', init)

  it('takes an answer of 1 MiB, and none that is longer', async () => {
    const pieces = (last: number) =>
      new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(new Uint8Array(1_048_575))
          controller.enqueue(new Uint8Array(last))
          controller.close()
        },
      })
    expect((await (await at(() => new Response(pieces(1)))).text()).length).toBe(1_048_576)
    await expect(at(() => new Response(pieces(2)))).rejects.toThrow('more than 1048576 bytes')
  })

  it.each([204, 205, 304])('takes an answer without a body: %i', async (status) => {
    expect((await at(() => new Response(null, { status }))).status).toBe(status)
  })

  const grant = { method: 'POST', body: new URLSearchParams({ grant_type: 'refresh_token' }) }
  it.each<[number, string, string, object]>([
    [400, '{"error":"invalid_grant"}', '(invalid_grant)', { kind: 'auth' }],
    [401, '{"error":"invalid_client","error_description":"Gone"}', '(invalid_client: Gone)', { kind: 'auth' }],
    [400, '{"error":"unauthorized_client"}', '(unauthorized_client)', { kind: 'auth' }],
    [400, '{"error":"invalid_request"}', '(invalid_request)', {}],
    [503, '{"error":"invalid_grant"}', '(invalid_grant)', {}],
    [500, '<html>secret-body</html>', '(HTTP 500)', {}],
    [400, '[1]', '(HTTP 400)', {}],
    [400, '{"error":5,"error_description":7}', '(HTTP 400)', {}],
  ])('for a token that gets %i and %s fails with “%s” [MCP-login-renewed]', async (status, body, words, data) => {
    const refused = at(() => new Response(body, { status }), grant)
    await expect(refused).rejects.toMatchObject({ code: 'mcp_error', message: `auth.example.com gave no token ${words}`, data }) // prettier-ignore
  })

  it('that is for no token leaves a refusal to the SDK', async () => {
    expect((await at(() => new Response('{}', { status: 404 }))).status).toBe(404)
  })

  it('ends with the sign-in', async () => {
    const life = new AbortController()
    const fetch = (_: unknown, { signal }: RequestInit = {}) =>
      new Promise<Response>((_resolve, reject) => {
        signal?.addEventListener('abort', () => {
          reject(new Error('it was aborted'))
        })
      })
    const url = new URL('https://mcp.example.com')
    const answer = oauthFetch({ url, signal: life.signal, fetch })(url)
    life.abort()
    await expect(answer).rejects.toThrow('it was aborted')
  })
})
