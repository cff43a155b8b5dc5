// Tests that the proxy compares its token in constant time.
// A response cannot show this, so the test observes the comparison itself.
import * as crypto from 'node:crypto'
import { expect, it, vi } from 'vitest'
import { admitRequest, streamPath } from '../../../lib/server/proxy/answer-exchange.ts'

vi.mock('node:crypto', async (original) => {
  const real = await original<typeof crypto>()
  return { ...real, timingSafeEqual: vi.fn(real.timingSafeEqual) }
})

const token = 'a-token-for-tests-only'

it.each([
  ['the token', token, true],
  ['another of its length', token.replace('a', 'b'), false],
  ['its beginning', token.slice(0, 3), false],
  ['a long one', 'x'.repeat(10_000), false],
])('compares digests of one length in constant time, given %s [S11c]', (_, options, ok) => {
  const headers = { host: 'localhost', authorization: `Bearer ${options}`, 'content-type': 'application/json' }
  const rules = { token, hosts: ['localhost'], origins: [] }
  expect(admitRequest({ method: 'POST', target: streamPath, headers }, rules).ok).toBe(ok)
  const compared = vi.mocked(crypto.timingSafeEqual).mock.calls
  expect(compared.map((sides) => sides.map(({ byteLength }) => byteLength))).toEqual([[32, 32]])
  vi.mocked(crypto.timingSafeEqual).mockClear()
})

const validHeaders = { host: 'localhost', authorization: `Bearer ${token}`, 'content-type': 'application/json' }

it.each([
  ['no Host, even if an empty one is configured', 'POST', { ...validHeaders, host: '' }, token, 403],
  ['a preflight without Origin and token', 'OPTIONS', { host: 'localhost' }, token, 401],
  [
    'an empty token, even if that is the configured one',
    'POST',
    { ...validHeaders, authorization: 'Bearer ' },
    '',
    401,
  ],
])('refuses %s', (_, method, headers, own, status) => {
  const rules = { token: own, hosts: ['localhost', ''], origins: [] }
  expect(admitRequest({ method, target: streamPath, headers }, rules)).toMatchObject({ ok: false, status })
})
