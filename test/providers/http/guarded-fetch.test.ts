// Tests the guarded `fetch`: its redirects and its errors.
import { describe, expect, it } from 'vitest'
import { guardedFetch } from '../../../lib/providers/http/guarded-fetch.ts'
import { rawSseServer } from '../../support/raw-sse-server.ts'

const post = { method: 'POST', body: '{"a":1}', headers: { authorization: 'Bearer sk-secret-1' } }

describe('redirects', () => {
  it.each([307, 308])('of status %i within the origin are followed, with method and body', async (status) => {
    await using server = await rawSseServer(({ path }) =>
      path === '/old' ? { status, headers: { location: '/new' } } : { body: ['data: x\n\n'] },
    )
    const response = await guardedFetch('maker')(`${server.url}/old`, post)
    expect(await response.text()).toBe('data: x\n\n')
    expect(server.requests.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['POST', '/old', '{"a":1}'],
      ['POST', '/new', '{"a":1}'],
    ])
  })

  it('to another origin are refused, and nothing is sent there [S11g]', async () => {
    await using other = await rawSseServer({})
    await using server = await rawSseServer({ status: 307, headers: { location: `${other.url}/v1?token=t` } })
    const refused = guardedFetch('maker')(server.url, post)
    await expect(refused).rejects.toMatchObject({ code: 'provider_error', data: { kind: 'bad_request', status: 307 } })
    await expect(refused).rejects.toThrow(other.url)
    await expect(refused).rejects.not.toThrow('token=t')
    expect(other.requests).toHaveLength(0)
  })

  it.each([301, 302, 303])('of status %i are refused: they would turn into a GET', async (status) => {
    await using server = await rawSseServer({ status, headers: { location: '/new' } })
    await expect(guardedFetch('maker')(server.url, post)).rejects.toMatchObject({ data: { status } })
    expect(server.requests).toHaveLength(1)
  })

  it('that go round in a circle end', async () => {
    await using server = await rawSseServer({ status: 307, headers: { location: '/again' } })
    await expect(guardedFetch('maker')(server.url, post)).rejects.toMatchObject({ data: { status: 307 } })
    expect(server.requests).toHaveLength(6)
  })
})

describe('error statuses', () => {
  it('become a Failure with the message of the provider [PORT-failure]', async () => {
    const body = '{"error":{"message":"Slow down","code":"rate_limit_exceeded"}}'
    await using server = await rawSseServer({ status: 429, headers: { 'retry-after-ms': '1500' }, body: [body] })
    await expect(guardedFetch('maker')(server.url, post)).rejects.toMatchObject({
      message: 'maker answered 429: Slow down (it asks to wait 2 s)',
      data: { kind: 'rate_limit', status: 429, retryAfterMs: 1500, providerCode: 'rate_limit_exceeded' },
    })
  })

  it('with a body that is no JSON say its text, else the status text', async () => {
    await using server = await rawSseServer(({ path }) => ({
      status: 502,
      body: path === '/text' ? ['upstream died'] : [],
    }))
    await expect(guardedFetch('maker')(`${server.url}/text`, post)).rejects.toThrow('maker answered 502: upstream died')
    await expect(guardedFetch('maker')(server.url, post)).rejects.toThrow('maker answered 502: Bad Gateway')
  })

  it.each([
    ['authorization', 'Bearer sk-secret-1'],
    ['x-api-key', 'sk-secret-1'],
    ['api-key', 'sk-secret-1'],
    ['x-goog-api-key', 'sk-secret-1'],
    ['X-Gateway-Token', 'sk-secret-1'],
    ['cookie', 'sk-secret-1'],
  ])('never show the key that was sent as %s [S18a]', async (name, value) => {
    await using server = await rawSseServer({ status: 401, body: ['{"error":"bad key sk-secret-1"}'] })
    const failed = guardedFetch('maker')(server.url, { ...post, headers: { [name]: value } })
    await expect(failed).rejects.toThrow('maker answered 401: bad key [key]')
  })

  it('with an endless body end all the same', async () => {
    const page = 'x'.repeat(16_384)
    await using server = await rawSseServer({
      status: 500,
      body: Array.from({ length: 40 }, () => page),
      ending: 'stall',
    })
    await expect(guardedFetch('maker')(server.url, post)).rejects.toMatchObject({ data: { kind: 'overloaded' } })
  })
})
