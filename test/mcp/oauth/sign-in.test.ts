// Tests the sign-in to MCP servers: its steps, its answers and hostile servers.
// Over 250 lines: one function, and every answer of a server to its steps.
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { filter, firstValueFrom, lastValueFrom, map, tap, toArray } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { McpServer } from '../../../lib/mcp/contract/mcp-server.ts'
import type { SignInUpdate } from '../../../lib/host/http/browser-sign-in.ts'
import { signIn } from '../../../lib/mcp/oauth/sign-in.ts'
import type { McpGrant } from '../../../lib/mcp/oauth/server-grant.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { mockAuthorization, remoteServer, serverUrl } from './mock-authorization.ts'
import type { Mock, MockOptions } from './mock-authorization.ts'

interface Answered {
  readonly mock: Mock
  readonly page: URL
  /** The parameters that the page would send. */
  readonly answer: URLSearchParams
}

/** Plays a sign-in; `send` gives the answer of the person. */
async function play(
  options: MockOptions,
  send: (answered: Answered, input: (text: string) => void) => unknown,
  server: Partial<McpServer> = {},
): Promise<{ readonly mock: Mock; readonly steps: readonly SignInUpdate<McpGrant>[]; readonly failure?: Failure }> {
  const mock = mockAuthorization(options)
  const login = signIn(remoteServer(server), { fetch: mock.fetch })
  const steps: SignInUpdate<McpGrant>[] = []
  const updates$ = login.updates$.pipe(
    tap((update) => {
      steps.push(update)
      if (update.step !== 'open_url') return
      const page = new URL(update.url)
      queueMicrotask(() => void send({ mock, page, answer: mock.approve(update.url) }, login.input))
    }),
  )
  try {
    await lastValueFrom(updates$.pipe(toArray()), { defaultValue: [] })
    return { mock, steps }
  } catch (error) {
    return { mock, steps, failure: Failure.from(error) }
  }
}

const paste = ({ answer }: Answered, input: (text: string) => void): void =>
  input(`http://127.0.0.1:1/callback?${answer.toString()}`)

describe('a sign-in', () => {
  it('discovers, registers, opens a page with PKCE and takes the answer of the browser [MCP-login-page]', async () => {
    const { mock, steps } = await play({}, async ({ page, answer }) => {
      const redirect = page.searchParams.get('redirect_uri') ?? ''
      const foreign = await fetch(`${redirect}?code=x&state=other`)
      expect([foreign.status, await foreign.text()]).toEqual([400, expect.stringContaining('Not an answer')])
      expect((await fetch(`${redirect}?${answer.toString()}`)).status).toBe(200)
    })
    const [opened, finishing, granted] = steps
    expect(opened).toMatchObject({ step: 'open_url', listens: true })
    const { host, searchParams } = new URL(opened?.step === 'open_url' ? opened.url : '')
    expect(host).toBe('auth.example.com')
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'client-1',
      code_challenge_method: 'S256',
      resource: serverUrl,
      scope: 'read',
    })
    expect(finishing).toEqual({ step: 'finishing' })
    expect(granted).toMatchObject({
      step: 'granted',
      grant: {
        tokens: { access: 'access-1', refresh: 'refresh-1' },
        facts: { name: 'auth.example.com' },
        origin: 'https://mcp.example.com',
      },
    })
    const [registration, exchange] = mock.bodies
    expect(registration).toMatchObject({
      client_name: 'rxpi',
      application_type: 'native',
      token_endpoint_auth_method: 'none',
    })
    expect(exchange).toMatchObject({ grant_type: 'authorization_code', resource: serverUrl, client_id: 'client-1' })
  })

  it.each([
    ['the address', paste],
    ['the query', ({ answer }: Answered, input: (text: string) => void) => input(`?${answer.toString()}`.slice(1))],
  ])('takes %s from a person', async (_, send) => {
    const { steps } = await play({}, send)
    expect(steps.at(-1)?.step).toBe('granted')
  })

  it('takes a bare code, unless the server names itself in its answers', async () => {
    const bare = ({ answer }: Answered, input: (text: string) => void): void => input(answer.get('code') ?? '')
    const metadata = { authorization_response_iss_parameter_supported: false }
    expect((await play({ metadata }, bare)).steps.at(-1)?.step).toBe('granted')
    expect((await play({}, bare)).failure?.message).toMatch(/^The sign-in to the MCP server "notes" failed: /)
  })

  it.each([
    ['where the server says, with the scopes of the description', '', /[?&]scope=read(?:&|$)/],
    ['where the server says, with the scopes that it wants', ', scope="special"', /[?&]scope=special(?:&|$)/],
  ])('reads the description %s', async (_, more, scope) => {
    const describedAt = 'https://mcp.example.com/described'
    const challenge = `Bearer resource_metadata="${describedAt}"${more}`
    const { mock, steps } = await play({ describedAt, challenge }, paste)
    expect(steps[0]).toMatchObject({ url: expect.stringMatching(scope) as string })
    expect(steps.at(-1)?.step).toBe('granted')
    expect(mock.log.filter((line) => line.startsWith('GET https://mcp.'))).toEqual([`GET ${describedAt}`])
  })

  it('uses a client of the configuration', async () => {
    const oauth = { clientId: 'mine', clientSecret: 'hidden', scopes: ['write', 'admin'] }
    const { mock, steps } = await play({}, paste, { oauth })
    expect(mock.log.filter((line) => line.includes('/register'))).toEqual([])
    expect(steps[0]).toMatchObject({ url: expect.stringContaining('client_id=mine') as string })
    expect(steps[0]).toMatchObject({ url: expect.stringMatching(/[?&]scope=write\+admin(?:&|$)/) as string })
    expect(steps.at(-1)?.step).toBe('granted')
  })

  it('names itself by a document, if the server reads those', async () => {
    const oauth = { clientId: 'https://example.com/rxpi.json' }
    const metadata = { client_id_metadata_document_supported: true }
    const { mock, steps } = await play({ metadata }, paste, { oauth })
    expect(mock.log.filter((line) => line.includes('/register'))).toEqual([])
    expect(steps[0]).toMatchObject({ url: expect.stringContaining(encodeURIComponent(oauth.clientId)) as string })
  })

  it('names the port of the configuration, and takes a pasted answer if another program has it', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const { steps } = await play({}, paste, { oauth: { callbackPort: port } })
    other.close()
    const redirect = encodeURIComponent(`http://127.0.0.1:${port}/callback`)
    expect(steps[0]).toMatchObject({ listens: false, url: expect.stringContaining(redirect) as string })
    expect(steps.at(-1)?.step).toBe('granted')
  })

  it('sends the headers of the configuration to the server alone, and draws a state each time', async () => {
    const mock = mockAuthorization()
    const withHeader: string[] = []
    const transport = { kind: 'http', url: serverUrl, headers: { 'x-team': 'a' } } as const
    const open = async (): Promise<string> => {
      const login = signIn(remoteServer({ transport }), {
        fetch: (input, init) => {
          if (new Headers(init?.headers).has('x-team'))
            withHeader.push(new URL(input instanceof Request ? input.url : input).href)
          return mock.fetch(input, init)
        },
      })
      const opened$ = login.updates$.pipe(filter((update) => update.step === 'open_url'))
      const update = await firstValueFrom(opened$, { defaultValue: undefined })
      return new URL(update?.url ?? '').searchParams.get('state') ?? ''
    }
    const states = [await open(), await open()]
    expect(withHeader).toEqual([serverUrl, serverUrl])
    for (const state of states) expect(state).toMatch(/^[\w-]{43}$/)
    expect(states[0]).not.toBe(states[1])
  })

  it('stops listening when it is cancelled', async () => {
    const mock = mockAuthorization()
    const opened = await firstValueFrom(
      signIn(remoteServer(), { fetch: mock.fetch }).updates$.pipe(
        filter((update) => update.step === 'open_url'),
        map(({ url }) => new URL(url).searchParams.get('redirect_uri') ?? ''),
      ),
      { defaultValue: '' },
    )
    await expect
      .poll(
        () =>
          fetch(opened).then(
            () => 'listens',
            () => 'closed',
          ),
        { timeout: 10_000 },
      )
      .toBe('closed')
  })

  it.each([
    ['a program', { transport: { kind: 'stdio', command: 'x', args: [], env: {} } }, /it is a program of this machine/],
    ['a server without it', { oauth: false }, /its configuration has "oauth": false/],
  ] as const)('is refused for %s', (_, more, reason) => {
    expect(() => signIn(remoteServer(more))).toThrow(reason)
  })
})

describe('a sign-in fails', () => {
  it.each<[string, MockOptions, RegExp]>([
    ['if the resource is another one', { resource: { resource: 'https://evil.example.com/mcp' } }, /resource/i],
    ['if the issuer is another one', { metadata: { issuer: 'https://evil.example.com' } }, /issuer/i],
    ['if tokens come from this machine', { metadata: { token_endpoint: 'http://127.0.0.1:9/token' } }, /not allowed/],
    [
      'if the page is of this machine',
      { metadata: { authorization_endpoint: 'http://127.0.0.1:9/a' } },
      /page http:\/\/127\.0\.0\.1:9 is not https/,
    ],
    ['without PKCE', { metadata: { code_challenge_methods_supported: ['plain'] } }, /code challenge/i],
    [
      'if the server describes itself elsewhere',
      { challenge: 'Bearer resource_metadata="https://evil.example.com/x"' },
      /it describes itself at https:\/\/evil\.example\.com, which is another origin/,
    ],
    ['if the code is refused', { tokenStatus: [400] }, /auth\.example\.com gave no token \(invalid_grant: no\)/],
    ['if the server is down', { tokenStatus: [503] }, /gave no token/],
    ['without a token', { token: { access_token: undefined } }, /./],
  ])('%s', async (_, options, reason) => {
    const { failure, steps } = await play(options, paste)
    expect(failure?.code).toBe('mcp_error')
    expect(failure?.message).toMatch(/^The sign-in to the MCP server "notes" failed: /)
    expect(failure?.message).toMatch(reason)
    expect(failure?.message).not.toMatch(/code-0|access-1|\u001b/)
    expect(steps.some(({ step }) => step === 'granted')).toBe(false)
  })

  it('if the answer comes from another issuer [MCP-login-issuer]', async () => {
    const { failure } = await play({}, ({ answer }, input) => {
      answer.set('iss', 'https://evil.example.com')
      input(`http://127.0.0.1/callback?${answer.toString()}`)
    })
    expect(failure?.message).toMatch(/issuer/i)
  })

  it('if the person refuses', async () => {
    const { failure } = await play({}, async ({ page, answer }) => {
      const redirect = page.searchParams.get('redirect_uri') ?? ''
      const refused = new URLSearchParams({ error: 'access_denied', state: answer.get('state') ?? '' })
      expect((await fetch(`${redirect}?${refused.toString()}`)).status).toBe(502)
    })
    expect(failure?.message).toMatch(/it was refused \(access_denied\)/)
  })

  it('if the answer has an error, in bounded words', async () => {
    const { failure } = await play({}, ({ page, answer }) => {
      const refused = new URLSearchParams({ error: 'e'.repeat(1_000), state: answer.get('state') ?? '' })
      return fetch(`${page.searchParams.get('redirect_uri') ?? ''}?${refused.toString()}`)
    })
    expect(failure?.message).toMatch(/it was refused \(e{120,128}…\)/)
  })

  it('in bounded words of the server', async () => {
    const resource = { resource: `https://evil.example.com/${'x'.repeat(5_000)}` }
    const { failure } = await play({ resource }, paste)
    expect(failure?.message.length).toBeLessThan(700)
  })

  it('not by what is pasted from another sign-in', async () => {
    const { steps } = await play({}, (answered, input) => {
      expect(() => input('http://127.0.0.1/callback?code=x&state=other')).toThrow(
        'This is the answer to another sign-in',
      )
      paste(answered, input)
    })
    expect(steps.at(-1)?.step).toBe('granted')
  })
})
