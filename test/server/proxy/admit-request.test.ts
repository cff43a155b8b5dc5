// Tests which heads of requests the proxy admits, and that it compares its token in constant time.
// A response cannot show the latter, so the test observes the comparison itself.
import * as crypto from 'node:crypto'
import { expect, it, vi } from 'vitest'
import { admitHead } from '../../../lib/server/http/admit-head.ts'
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

it.each([
  ['a host that begins as its own does [S11d]', { host: 'localhost.example.com' }],
  ['a page of its own address, as it has no pages [S11e]', { origin: 'http://localhost' }],
])('refuses %s', (_, more) => {
  const rules = { token, hosts: ['localhost'], origins: [] }
  const headers = { ...validHeaders, ...more }
  expect(admitRequest({ method: 'POST', target: streamPath, headers }, rules)).toMatchObject({ ok: false, status: 403 })
})

it.each([
  ['http://localhost:8080', true],
  ['http://localhost:8081', false],
  ['http://other:8080', false],
])('a listener with pages admits %s: %s [S11e]', (origin, ok) => {
  const rules = { token, hosts: ['localhost'], origins: [], ownPages: true }
  const words = { name: 'server', hostOption: '--host', originOption: '--origin' }
  const headers = { ...validHeaders, host: 'localhost:8080', origin }
  expect(admitHead({ method: 'POST', headers }, { rules, words, pageHeaders: '' }).ok).toBe(ok)
})
