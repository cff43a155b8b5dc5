// Tests the decoding of one entry of `mcpServers`: defaults, variables, paths, and every refusal.
import { describe, expect, it } from 'vitest'
import { decodeServer } from '../../../lib/mcp/config/decode-server.ts'
import type { DecodeContext } from '../../../lib/mcp/config/decode-server.ts'
import type { McpEntry } from '../../../lib/streams/config/mcp-servers.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'

const values = { TOKEN: 't0ken', EMPTY: '', HOST: 'example.com' }
const context: DecodeContext = { origin: 'user', folder: '/home/u/.rxpi', variables: { values } }

function decode(entry: McpEntry, more: Partial<DecodeContext> = {}, name = 'files') {
  return decodeServer(name, entry, { ...context, ...more })
}

function refusal(entry: McpEntry, more: Partial<DecodeContext> = {}, name = 'files'): string {
  try {
    decode(entry, more, name)
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === 'bad_config') return thrown.message
    throw thrown
  }
  throw new Error('it was decoded')
}

describe('decodeServer', () => {
  it('fills in the defaults of a program', () => {
    expect(decode({ command: 'npx', args: ['-y', 'server'] })).toEqual({
      name: 'files',
      origin: 'user',
      transport: { kind: 'stdio', command: 'npx', args: ['-y', 'server'], env: {} },
      perSession: false,
      startTimeoutMs: 30_000,
      callTimeoutMs: 120_000,
      sampling: false,
    })
  })

  it.each([
    ['http', undefined],
    ['http', 'http'],
    ['http', 'streamable-http'],
    ['sse', 'sse'],
  ] as const)('takes an address as %s for the type %s', (kind, type) => {
    const entry = { url: 'https://example.com/mcp', headers: { Authorization: 'Bearer $TOKEN' } }
    expect(decode(type === undefined ? entry : { ...entry, type })?.transport).toEqual({
      kind,
      url: 'https://example.com/mcp',
      headers: { Authorization: 'Bearer t0ken' },
    })
  })

  it('returns nothing for a disabled entry', () => {
    expect(decode({ command: 'npx', disabled: true })).toBeUndefined()
  })

  it.each([
    ['$TOKEN', 't0ken'],
    ['a${TOKEN}b', 'at0kenb'],
    ['$$TOKEN', '$TOKEN'],
    ['${NONE:-other}', 'other'],
    ['${EMPTY:-}', ''],
    ['costs 5$', 'costs 5$'],
  ])('expands %s to %s', (text, expanded) => {
    expect(decode({ command: 'x', env: { A: text } })?.transport).toMatchObject({ env: { A: expanded } })
  })

  it('puts a relative folder below the folder of the file', () => {
    expect(decode({ command: 'x', cwd: 'servers' })?.transport).toMatchObject({ cwd: '/home/u/.rxpi/servers' })
  })

  it('expands client id and secret, and keeps oauth: false', () => {
    const oauth = { clientId: '$HOST', clientSecret: '${TOKEN}', scopes: ['a'] }
    expect(decode({ url: 'https://e.com', oauth })?.oauth).toEqual({
      clientId: 'example.com',
      clientSecret: 't0ken',
      scopes: ['a'],
    })
    expect(decode({ url: 'https://e.com', oauth: false })?.oauth).toBe(false)
  })

  it.each<[string, McpEntry]>([
    ['mcpServers.files needs command or url.', {}],
    ['mcpServers.files needs url, because its type is sse.', { type: 'sse', command: 'x' }],
    ['mcpServers.files needs command, because its type is stdio.', { type: 'stdio', url: 'https://e.com' }],
    ['mcpServers.files has both command and url; a server is a program or an address.', { command: 'x', url: 'y' }],
    ['mcpServers.files.headers has no meaning for a program.', { command: 'x', headers: {} }],
    ['mcpServers.files.env has no meaning for an address.', { url: 'https://e.com', env: {} }],
    ['mcpServers.files.url is no URL.', { url: 'nowhere' }],
    ['mcpServers.files.url must begin with http:// or https://.', { url: 'file:///etc/passwd' }],
    ['mcpServers.files.url may not have a user name or a password; use headers.', { url: 'https://a:b@e.com' }],
    ['mcpServers.files.env.A needs the variable NONE, which is not set.', { command: 'x', env: { A: '$NONE' } }],
    ['mcpServers.files.args.1 needs the variable EMPTY, which is not set.', { command: 'x', args: ['', '$EMPTY'] }],
  ])('says: %s', (message, entry) => {
    expect(refusal(entry)).toBe(message)
  })

  it('refuses a variable that the file may not read, also if it is set', () => {
    const variables = { values, mayRead: (name: string) => name === 'HOST' }
    expect(decode({ command: '$HOST' }, { variables })?.transport).toMatchObject({ command: 'example.com' })
    expect(refusal({ command: 'x', args: ['$TOKEN'] }, { variables })).toBe(
      'mcpServers.files.args.0 reads the variable TOKEN, which this file may not read.',
    )
  })

  it('refuses a header that cannot be sent, without its value', () => {
    const message = refusal({ url: 'https://e.com', headers: { 'X-Key': 'secret\nvalue' } })
    expect(message).toBe('mcpServers.files.headers.X-Key: the name or the value cannot be sent as a header.')
  })

  it.each(['', 'a b', 'a.b', 'x'.repeat(65)])('refuses the name %j', (name) => {
    expect(refusal({ command: 'x' }, {}, name)).toContain('may have 1 to 64 of A-Z a-z 0-9 _ -')
  })
})
