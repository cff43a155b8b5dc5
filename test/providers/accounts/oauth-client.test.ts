// Tests sign-ins with mock servers of vendors: codes, devices, renewals, refusals, broken answers.
// Over 250 lines: each vendor's form of a sign-in, with its failures, against one mock.
import { describe, expect, it, vi } from 'vitest'
import { accountVendor } from '../../../lib/providers/accounts/account-vendors.ts'
import { pollDevice, startDevice } from '../../../lib/providers/accounts/device-grant.ts'
import { grantAccount, openRouterGrant, renewAccount } from '../../../lib/providers/accounts/grant-account.ts'
import { beginBrowserGrant, exchangeCode, refreshTokens } from '../../../lib/providers/accounts/oauth-client.ts'
import type { VendorAccess } from '../../../lib/providers/accounts/vendor-fetch.ts'
import { startVendorServer, unsignedToken } from '../../support/vendor-server.ts'
import type { VendorReply, VendorServer } from '../../support/vendor-server.ts'

const { signal } = new AbortController()
const redirectUri = 'http://localhost:1455/auth/callback'

function accessTo(provider: string, { fetch }: VendorServer, domain?: string): VendorAccess {
  const vendor = accountVendor(provider)
  if (vendor === undefined) throw new Error(`no vendor ${provider}`)
  return { vendor, fetch, domain }
}

const chatGpt = unsignedToken({
  'https://api.openai.com/auth': { chatgpt_account_id: 'acc-1', chatgpt_plan_type: 'plus' },
  'https://api.openai.com/profile': { email: 'ada@example.com' },
})

function idToken(own: object = {}): string {
  const now = Math.floor(Date.now() / 1_000)
  const claims = { iss: 'https://auth.openai.com', aud: 'app_EMoamEEZ73f0CkXaXp7hrann', sub: 'ada' }
  return unsignedToken({ ...claims, iat: now, exp: now + 3_600, ...own })
}

const tokens = (own: object = {}) => ({ access_token: chatGpt, refresh_token: 'refresh-1', expires_in: 3_600, ...own })

async function codexSignIn(reply: VendorReply, callback: Record<string, string> = {}) {
  await using server = await startVendorServer({ 'POST auth.openai.com/oauth/token': () => reply })
  const access = accessTo('openai-codex', server)
  const grant = await beginBrowserGrant(access, { redirectUri, state: 'state-1' })
  const parameters = new URLSearchParams({ code: 'code-1', state: 'state-1', ...callback })
  const response = await exchangeCode(access, parameters, grant, signal)
  return { grant, account: await grantAccount(access, response, signal), calls: server.calls }
}

describe('a sign-in with a browser', () => {
  it('asks with state and PKCE, and buys tokens with the code', async () => {
    const { grant, account, calls } = await codexSignIn({ json: tokens({ id_token: idToken() }) })
    const url = new URL(grant.url)
    expect(url.origin + url.pathname).toBe('https://auth.openai.com/oauth/authorize')
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      ...{ response_type: 'code', state: 'state-1', redirect_uri: redirectUri, code_challenge_method: 'S256' },
      ...{ client_id: 'app_EMoamEEZ73f0CkXaXp7hrann', scope: 'openid profile email offline_access' },
      ...{ id_token_add_organizations: 'true', codex_cli_simplified_flow: 'true' },
    })
    expect(calls[0]?.fields).toMatchObject({
      ...{ grant_type: 'authorization_code', code: 'code-1', redirect_uri: redirectUri, code_verifier: grant.verifier },
    })
    expect(account).toMatchObject({
      tokens: { access: chatGpt, refresh: 'refresh-1' },
      facts: { accountId: 'acc-1', plan: 'plus', name: 'ada@example.com' },
      origin: 'https://chatgpt.com',
    })
  })

  it.each([
    ['a replayed or foreign state', { json: tokens() }, { state: 'state-0' }, 'state, issuer or tokens are not'],
    ['another issuer of the callback', { json: tokens() }, { iss: 'https://evil.example' }, 'state, issuer or tokens'],
    [
      'a token of another issuer',
      { json: tokens({ id_token: idToken({ iss: 'https://evil.example' }) }) },
      {},
      'issuer',
    ],
    ['a token for another client', { json: tokens({ id_token: idToken({ aud: 'other' }) }) }, {}, 'issuer or tokens'],
    ['a refusal at the page', { json: tokens() }, { error: 'access_denied' }, 'refused the sign-in (access_denied)'],
    [
      'a used code',
      { status: 400, json: { error: 'invalid_grant' } },
      {},
      'refused to buy tokens with the code (invalid_grant, status 400)',
    ],
    [
      'a page in place of tokens',
      { html: '<p>Sign in to the hotel planted' },
      {},
      'could not buy tokens with the code (it sent no usable answer)',
    ],
    [
      'an outage',
      { status: 503, html: 'planted' },
      {},
      'could not buy tokens with the code (status 503); try again later',
    ],
    ['a token without an account', { json: tokens({ access_token: 'planted' }) }, {}, 'names no account'],
    ['a connection that was cut', { cut: true }, {}, 'could not be reached'],
  ] as const)('fails for %s, and repeats nothing of it', async (_, reply, callback, problem) => {
    const failed = codexSignIn(reply, callback)
    await expect(failed).rejects.toMatchObject({ code: 'provider_error' })
    await expect(failed).rejects.toThrow(problem)
    await expect(failed).rejects.not.toThrow('planted')
    await expect(failed).rejects.not.toThrow('code-1')
  })

  it('works with a clock that is ten minutes off, both ways', async () => {
    for (const off of [-600, 600]) {
      const now = Math.floor(Date.now() / 1_000) + off
      const { account } = await codexSignIn({ json: tokens({ id_token: idToken({ iat: now, exp: now + 300 }) }) })
      expect(account.facts.expiresAt).toBeGreaterThan(Date.now() + 3_500_000)
    }
  })

  it('of Anthropic sends JSON with the state, and learns the account', async () => {
    await using server = await startVendorServer({
      'POST platform.claude.com/v1/oauth/token': () => ({
        json: { ...tokens({ access_token: 'sk-ant-oat' }), account: { email_address: 'ada@example.com' } },
      }),
    })
    const access = accessTo('anthropic', server)
    const grant = await beginBrowserGrant(access, { redirectUri: 'http://localhost:53692/callback', state: 's1' })
    const response = await exchangeCode(access, new URLSearchParams({ code: 'c1', state: 's1' }), grant, signal)
    expect(server.calls[0]?.headers['content-type']).toBe('application/json')
    expect(server.calls[0]?.fields).toMatchObject({ grant_type: 'authorization_code', code: 'c1', state: 's1' })
    expect((await grantAccount(access, response, signal)).facts.name).toBe('ada@example.com')
  })

  it('of OpenRouter buys a key that does not expire', async () => {
    await using server = await startVendorServer({
      'POST openrouter.ai/api/v1/auth/keys': () => ({ json: { key: 'sk-or-1' } }),
    })
    const access = accessTo('openrouter', server)
    const { url } = await beginBrowserGrant(access, {
      redirectUri: 'http://127.0.0.1:9/oauth/callback/s1',
      state: 's1',
    })
    expect(new URL(url).searchParams.get('callback_url')).toBe('http://127.0.0.1:9/oauth/callback/s1')
    expect(await openRouterGrant(access, { code: 'c1', verifier: 'v1' }, signal)).toEqual({
      ...{ tokens: { access: 'sk-or-1' }, facts: {}, origin: 'https://openrouter.ai' },
    })
    expect(server.calls[0]?.fields).toEqual({ code: 'c1', code_verifier: 'v1', code_challenge_method: 'S256' })
  })
})

const device = {
  ...{ device_code: 'device-1', user_code: 'ABCD-1234', verification_uri: 'https://accounts.x.ai/device' },
  ...{ expires_in: 600, interval: 5 },
}

async function xaiPoll(reply: VendorReply) {
  await using server = await startVendorServer({
    'POST auth.x.ai/oauth2/device/code': () => ({ json: device }),
    'POST auth.x.ai/oauth2/token': () => reply,
  })
  const access = accessTo('xai', server)
  const grant = await startDevice(access, signal)
  return { grant, poll: await pollDevice(access, grant, signal) }
}

describe('a sign-in with a code on another device', () => {
  it('shows code, page and time, and gets tokens', async () => {
    const { grant, poll } = await xaiPoll({ json: { access_token: 'a', refresh_token: 'r', token_type: 'Bearer' } })
    expect(grant).toMatchObject({ userCode: 'ABCD-1234', url: device.verification_uri, expiresInS: 600, intervalS: 5 })
    expect(poll).toMatchObject({ status: 'granted', tokens: { access_token: 'a' } })
  })

  it.each([
    ['authorization_pending', {}, { status: 'pending' }],
    ['slow_down', {}, { status: 'slow_down' }],
    ['slow_down', { interval: 12 }, { status: 'slow_down', intervalS: 12 }],
  ])('waits for %s %j', async (error, more, outcome) => {
    expect((await xaiPoll({ status: 400, json: { error, ...more } })).poll).toEqual(outcome)
  })

  it.each([
    [{ status: 400, json: { error: 'expired_token' } }, 'the code has expired; start again', 'auth'],
    [{ status: 400, json: { error: 'access_denied' } }, 'the sign-in was refused at the page', 'auth'],
    [{ html: '<p>planted' }, 'it sent no usable answer', 'network'],
    [{ cut: true as const }, 'could not be reached', 'network'],
  ])('fails for %j', async (reply, problem, kind) => {
    const failed = xaiPoll(reply)
    await expect(failed).rejects.toThrow(problem)
    await expect(failed).rejects.toMatchObject({ data: { kind } })
  })

  it.each([['javascript:alert(1)'], ['file:///etc/passwd'], [7]])('opens no page at %j', async (address) => {
    await using server = await startVendorServer({
      'POST auth.x.ai/oauth2/device/code': () => ({ json: { ...device, verification_uri: address } }),
    })
    await expect(startDevice(accessTo('xai', server), signal)).rejects.toThrow('begin a sign-in with a code')
  })

  it('of ChatGPT has a form of its own: it buys tokens with the code that the poll returns', async () => {
    let polls = 0
    await using server = await startVendorServer({
      'POST auth.openai.com/api/accounts/deviceauth/usercode': () => ({
        json: { device_auth_id: 'd1', user_code: 'WXYZ', interval: '5' },
      }),
      'POST auth.openai.com/api/accounts/deviceauth/token': () =>
        (polls += 1) === 1 ? { status: 403, json: {} } : { json: { authorization_code: 'c1', code_verifier: 'v1' } },
      'POST auth.openai.com/oauth/token': () => ({ json: tokens() }),
    })
    const access = accessTo('openai-codex', server)
    const grant = await startDevice(access, signal)
    expect(grant).toMatchObject({ url: 'https://auth.openai.com/codex/device', intervalS: 5, expiresInS: 900 })
    expect(await pollDevice(access, grant, signal)).toEqual({ status: 'pending' })
    expect(await pollDevice(access, grant, signal)).toMatchObject({ status: 'granted' })
    expect(server.calls.at(-1)?.fields).toMatchObject({
      ...{ code: 'c1', code_verifier: 'v1', redirect_uri: 'https://auth.openai.com/deviceauth/callback' },
    })
  })
})

describe('the account of', () => {
  it('Copilot has the address of its token, its models and the time of this clock', async () => {
    const late = new Date(Date.now() - 600_000)
    await using server = await startVendorServer({
      'GET api.github.com/copilot_internal/v2/token': () => ({
        json: {
          ...{ token: 'tid=1;proxy-ep=proxy.business.githubcopilot.com;x=1', sku: 'business' },
          expires_at: Math.floor(late.getTime() / 1_000) + 1_800,
        },
        headers: { date: late.toUTCString() },
      }),
      'GET api.business.githubcopilot.com/models': () => ({
        json: {
          data: [
            { id: 'gpt-6', model_picker_enabled: true },
            { id: 'off', model_picker_enabled: true, policy: { state: 'disabled' } },
            { id: 'hidden', model_picker_enabled: false },
            { id: 'no-tools', model_picker_enabled: true, capabilities: { supports: { tool_calls: false } } },
          ],
        },
      }),
    })
    const access = accessTo('github-copilot', server)
    const response = { access_token: 'gho-1', token_type: 'bearer' as const }
    const { facts, origin, tokens: stored } = await grantAccount(access, response, signal)
    expect(facts).toMatchObject({
      baseUrl: 'https://api.business.githubcopilot.com',
      plan: 'business',
      models: ['gpt-6'],
    })
    expect(facts.expiresAt).toBeGreaterThan(Date.now() + 1_780_000)
    expect(facts.expiresAt).toBeLessThan(Date.now() + 1_820_000)
    expect(origin).toBe('https://api.business.githubcopilot.com')
    expect(stored.refresh).toBe('gho-1')
    expect(server.calls[0]?.headers).toMatchObject({
      authorization: 'Bearer gho-1',
      'copilot-integration-id': 'vscode-chat',
    })
  })

  it.each([
    ['proxy.evil.example', undefined],
    ['proxy.githubcopilot.com.evil.example', undefined],
    ['proxy.ada@evil.example', 'acme.ghe.com'],
  ])('Copilot is refused if its token names %s', async (host, domain) => {
    const route = `GET api.${domain ?? 'github.com'}/copilot_internal/v2/token`
    await using server = await startVendorServer({
      [route]: () => ({ json: { token: `tid=1;proxy-ep=${host};`, expires_at: 1 } }),
    })
    const renewed = renewAccount(accessTo('github-copilot', server, domain), { access: '', refresh: 'gho-1' }, signal)
    await expect(renewed).rejects.toThrow('does not belong to GitHub')
  })

  it('Meta buys a key for a day; a dead session is a refusal', async () => {
    const mint = vi.fn((): VendorReply => ({ json: { api_key: 'key-1' } }))
    await using server = await startVendorServer({ 'POST api.meta.ai/muse-code/key': mint })
    const access = accessTo('meta', server)
    const { tokens: stored, facts } = await grantAccount(access, { access_token: 'id-1', token_type: 'bearer' }, signal)
    expect(stored).toEqual({ access: 'key-1', refresh: 'id-1' })
    expect(facts.expiresAt).toBeGreaterThan(Date.now() + 23 * 3_600_000)
    mint.mockReturnValue({ status: 401, json: {} })
    await expect(renewAccount(access, stored, signal)).rejects.toMatchObject({ data: { kind: 'auth', status: 401 } })
  })

  it('a vendor without rotation keeps its refresh token', async () => {
    await using server = await startVendorServer({
      'POST auth.kimi.com/api/oauth/token': () => ({ json: { access_token: 'a2', expires_in: '900' } }),
    })
    const access = accessTo('kimi-coding', server)
    expect((await refreshTokens(access, 'r1', signal)).refresh_token).toBeUndefined()
    const { tokens: stored } = await renewAccount(access, { access: 'a1', refresh: 'r1' }, signal)
    expect(stored).toEqual({ access: 'a2', refresh: 'r1' })
  })
})
