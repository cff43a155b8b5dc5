import { describe, expect, it } from 'vitest'
import { createDomainRules, isInternal } from '../../../../lib/host/sandbox/network/domain-rules.ts'

describe('createDomainRules', () => {
  const rules = createDomainRules({
    allow: ['example.com', '*.cdn.example', 'api.test:8443', '127.0.0.1:9000', '[::1]:9000'],
  })

  it.each([
    ['example.com', 443],
    ['EXAMPLE.com.', 80],
    ['a.cdn.example', 443],
    ['a.b.cdn.example', 443],
    ['api.test', 8443],
    ['127.0.0.1', 9000],
    ['[::1]', 9000],
  ])('allows %s:%i [SANDBOX-network]', (host, port) => {
    expect(rules.refuse(host, port)).toBeUndefined()
  })

  it.each([
    ['www.example.com', 443, 'host'],
    ['notexample.com', 443, 'host'],
    ['example.com.evil.org', 443, 'host'],
    ['cdn.example', 443, 'host'],
    ['evilcdn.example', 443, 'host'],
    ['example.com', 22, 'port'],
    ['api.test', 443, 'port'],
    ['93.184.216.34', 443, 'host'],
    ['127.0.0.1', 80, 'port'],
    ['localhost', 80, 'host'],
  ])('refuses %s:%i by its %s [SANDBOX-network]', (host, port, reason) => {
    expect(rules.refuse(host, port)).toMatchObject({ reason })
  })

  it('lets no public name lead to a private address, but an address that the list names [SANDBOX-network]', () => {
    expect(rules.allowsAddress('example.com', '93.184.216.34')).toBe(true)
    expect(rules.allowsAddress('example.com', '127.0.0.1')).toBe(false)
    expect(rules.allowsAddress('a.cdn.example', '10.0.0.1')).toBe(false)
    expect(rules.allowsAddress('127.0.0.1', '127.0.0.1')).toBe(true)
    expect(rules.allowsAddress('api.test', '192.168.1.7')).toBe(true)
  })

  it.each(['http://example.com', 'a b', '', '*.', '*', 'a/b', 'x:99999', '*.1.2.3.4'])(
    'refuses the entry "%s"',
    (entry) => {
      expect(() => createDomainRules({ allow: [entry] })).toThrow(expect.objectContaining({ code: 'bad_config' }))
    },
  )
})

it.each([
  ...[
    '127.0.0.1',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
  ],
  ...[
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'ff02::1',
    'nonsense',
  ],
])('%s is internal [SANDBOX-network]', (address) => {
  expect(isInternal(address)).toBe(true)
})

it.each(['8.8.8.8', '93.184.216.34', '172.32.0.1', '2606:4700::1111'])('%s is not', (address) => {
  expect(isInternal(address)).toBe(false)
})
