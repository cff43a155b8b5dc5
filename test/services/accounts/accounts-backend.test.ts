// Tests sign-ins as clients see them: callback, pasted answer, device code, cancellation, sign-out.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { processKeyMemory } from '../../../lib/providers/index.ts'
import { createAccountsBackend } from '../../../lib/services/accounts/accounts-backend.ts'
import type { EndingAccountsBackend } from '../../../lib/services/accounts/accounts-backend.ts'
import { fileAccountStorage } from '../../../lib/store/config/file-account-storage.ts'
import type { LoginState } from '../../../lib/streams/commands/account-commands.ts'
import { resultOf } from '../../support/result-of.ts'
import { startVendorServer, unsignedToken } from '../../support/vendor-server.ts'
import type { VendorReply, VendorRoutes } from '../../support/vendor-server.ts'

let home: string
let backend: EndingAccountsBackend | undefined
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'rxpi-login-'))
})
afterEach(() => {
  backend?.close()
  backend = undefined
  rmSync(home, { recursive: true })
})

const storage = () => fileAccountStorage({ home })
const context = { cwd: '/', env: {} }
const access = unsignedToken({
  'https://api.openai.com/auth': { chatgpt_account_id: 'acc-1', chatgpt_plan_type: 'plus' },
})
const codexTokens = { access_token: access, refresh_token: 'refresh-planted', expires_in: 3_600 }

async function begin(routes: VendorRoutes, command: object, callbackPort = 0) {
  const server = await startVendorServer(routes)
  const memory = processKeyMemory
  const own = createAccountsBackend({
    storage: storage(),
    fetch: server.fetch,
    callbackPort,
    surroundings: () => ({ sources: { ...context, memory, models: { providers: {} } }, where: 'file' }),
  })
  backend = own
  const first = await resultOf(own.login({ ...context, provider: 'openai-codex', ...command })).catch(
    async (error: unknown) => {
      await server[Symbol.asyncDispose]()
      throw error
    },
  )
  const waitFor = async (step: LoginState['step'], from: LoginState = first.login): Promise<LoginState> => {
    let login = from
    while (login.step !== step) {
      if (['done', 'failed', 'cancelled'].includes(login.step)) throw new Error(`it is ${JSON.stringify(login)}`)
      login = (await resultOf(own.wait({ loginId: login.loginId, revision: login.revision }))).login
    }
    return login
  }
  return { own, server, first: first.login, waitFor, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

/** What the browser does after a person agreed: `redirect_uri` with these parameters. */
async function answer(login: LoginState, parameters: Record<string, string>) {
  const query = new URL(login.url ?? '').searchParams
  const target = new URL(
    (query.get('redirect_uri') ?? query.get('callback_url') ?? '').replace('localhost', '127.0.0.1'),
  )
  const state = query.get('state')
  const all = { code: 'code-planted', ...(state === null ? {} : { state }), ...parameters }
  for (const [name, value] of Object.entries(all)) target.searchParams.set(name, value)
  const response = await fetch(target)
  return { status: response.status, text: await response.text() }
}

const codex = (reply: VendorReply = { json: codexTokens }): VendorRoutes => ({
  'POST auth.openai.com/oauth/token': () => reply,
})

describe('a sign-in in a browser', () => {
  it('stores the account when the browser comes back, once, and shows no token [COMMAND-auth_login]', async () => {
    await using login = await begin(codex(), {})
    const shown = await login.waitFor('open_url')
    expect(shown).toMatchObject({ listens: true, title: 'ChatGPT plan (Plus, Pro, Business)', method: 'browser' })
    expect(await answer(shown, { state: 'foreign' })).toMatchObject({ status: 400 })
    const page = await answer(shown, {})
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('You are signed in') as string })
    const done = await login.waitFor('done')
    expect(done).toMatchObject({ account: { plan: 'plus' }, notices: [] })
    expect(storage().list()).toMatchObject([
      { provider: 'openai-codex', origin: 'https://chatgpt.com', accountId: 'acc-1' },
    ])
    const listed = await resultOf(login.own.accounts())
    expect(listed.vendors[0]).toMatchObject({ provider: 'openai-codex', account: { plan: 'plus' }, onlyAccount: true })
    expect(JSON.stringify([shown, done, listed, page])).not.toContain('planted')
    await expect(answer(shown, {})).rejects.toThrow() // nothing listens any more
  })

  it('says before it begins what the terms of the vendor are known to say', async () => {
    await using claude = await begin({}, { provider: 'anthropic' })
    const { terms } = await claude.waitFor('open_url')
    expect(terms).toMatch(/^Anthropic allows its plans in its own applications only/)
    await resultOf(claude.own.cancel({ loginId: claude.first.loginId }))
    expect(await claude.waitFor('cancelled')).toMatchObject({ terms })
  })

  it('answers a second callback while the first is at work with a page that says so', async () => {
    await using login = await begin(codex(), {})
    const shown = await login.waitFor('open_url')
    const first = answer(shown, {})
    const second = answer(shown, {})
    const statuses = (await Promise.allSettled([first, second])).map((each) =>
      each.status === 'fulfilled' ? each.value.status : 0,
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(login.server.calls).toHaveLength(1)
  })

  it.each([
    ['a refusal', { error: 'access_denied' }, codex(), 'refused the sign-in (access_denied)'],
    ['a connection that is cut between code and token', {}, codex({ cut: true }), 'could not be reached'],
    ['a page in place of tokens', {}, codex({ html: '<p>planted' }), 'it sent no usable answer'],
    ['another issuer', { iss: 'https://evil.example' }, codex(), 'state, issuer or tokens'],
  ])('fails for %s, on the page and in rxpi; nothing is stored', async (_, parameters, routes, problem) => {
    await using login = await begin(routes, {})
    const page = await answer(await login.waitFor('open_url'), parameters)
    expect(page).toMatchObject({ status: 502, text: expect.stringContaining('The sign-in failed') as string })
    const failed = await login.waitFor('failed')
    expect(failed.failure?.message).toContain(problem)
    expect(JSON.stringify([page, failed])).not.toContain('planted')
    expect(storage().list()).toEqual([])
  })

  it('takes a pasted address, `code#state` or code; not that of another sign-in', async () => {
    for (const form of ['address', 'pair', 'code']) {
      await using login = await begin(codex(), {})
      const shown = await login.waitFor('open_url')
      const state = new URL(shown.url ?? '').searchParams.get('state') ?? ''
      const { loginId } = shown
      const paste = (text: string) => resultOf(login.own.input({ loginId, text }))
      await expect(paste('http://localhost:1455/auth/callback?code=c&state=other')).rejects.toThrow('another sign-in')
      await expect(paste('c#other')).rejects.toThrow('another sign-in')
      await expect(paste('http://localhost:1455/auth/callback')).rejects.toThrow('no answer of a sign-in')
      const texts = { address: `http://localhost:1/x?code=c1&state=${state}`, pair: `c1#${state}`, code: ' c1 ' }
      await paste(texts[form as keyof typeof texts])
      await login.waitFor('done')
      expect(login.server.calls[0]?.fields['code']).toBe('c1')
      await expect(paste('c1')).rejects.toThrow('This sign-in is over')
    }
  })

  it('is without a listener if the port is taken, and still takes a pasted code', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    await using login = await begin(codex(), {}, port)
    const shown = await login.waitFor('open_url')
    expect(shown.listens).toBe(false)
    expect(new URL(shown.url ?? '').searchParams.get('redirect_uri')).toBe(`http://localhost:${port}/auth/callback`)
    await resultOf(login.own.input({ loginId: shown.loginId, text: 'c1' }))
    await login.waitFor('done')
    await new Promise((resolve) => other.close(resolve))
  })

  it('of OpenRouter has its state in the path', async () => {
    const routes = { 'POST openrouter.ai/api/v1/auth/keys': () => ({ json: { key: 'sk-or-planted' } }) }
    await using login = await begin(routes, { provider: 'openrouter' })
    const shown = await login.waitFor('open_url')
    expect(await answer(shown, {})).toMatchObject({ status: 200 })
    expect(await login.waitFor('done')).toMatchObject({
      defaultModel: expect.stringContaining('openrouter/') as string,
    })
  })

  it('is found again by a client that lost its connection; a cancelled one is over', async () => {
    await using login = await begin(codex(), {})
    const shown = await login.waitFor('open_url')
    const again = await resultOf(login.own.login({ ...context, provider: 'openai-codex' }))
    expect(again.login).toEqual(shown)
    const { login: cancelled } = await resultOf(login.own.cancel({ loginId: shown.loginId }))
    expect(cancelled.step).toBe('cancelled')
    const next = await resultOf(login.own.login({ ...context, provider: 'openai-codex' }))
    expect(next.login.loginId).not.toBe(shown.loginId)
  })
})

describe('a sign-in with a code', () => {
  const started = {
    device_code: 'd-planted',
    user_code: 'ABCD',
    verification_uri: 'https://x.ai/device',
    expires_in: 60,
  }
  function xai(replies: readonly VendorReply[], own: object = {}): VendorRoutes {
    const left = [...replies]
    return {
      'POST auth.x.ai/oauth2/device/code': () => ({ json: { ...started, interval: 0.005, ...own } }),
      'POST auth.x.ai/oauth2/token': () => left.shift() ?? { status: 400, json: { error: 'authorization_pending' } },
    }
  }
  const pending: VendorReply = { status: 400, json: { error: 'authorization_pending' } }
  const granted: VendorReply = { json: { access_token: 'a-planted', refresh_token: 'r-planted', expires_in: 60 } }

  it('polls through slow_down and a cut connection until the person agrees', async () => {
    const slow: VendorReply = { status: 400, json: { error: 'slow_down', interval: 0.01 } }
    await using login = await begin(xai([pending, slow, { cut: true }, granted]), { provider: 'xai' })
    const shown = await login.waitFor('device_code')
    expect(shown).toMatchObject({ userCode: 'ABCD', url: 'https://x.ai/device' })
    expect(shown.expiresAt).toBeGreaterThan(Date.now())
    const done = await login.waitFor('done')
    expect(JSON.stringify([shown, done])).not.toContain('planted')
    expect(login.server.calls).toHaveLength(5)
    await expect(resultOf(login.own.input({ loginId: done.loginId, text: 'x' }))).rejects.toThrow('over')
  })

  it.each([
    ['the person refuses', [pending, { status: 400, json: { error: 'access_denied' } }], {}, 'refused at the page'],
    ['the vendor says that the code expired', [{ status: 400, json: { error: 'expired_token' } }], {}, 'has expired'],
    ['the time of the code is over', [], { expires_in: 0.02 }, 'has expired'],
  ] as const)('fails if %s', async (_, replies, own, problem) => {
    await using login = await begin(xai(replies, own), { provider: 'xai' })
    expect((await login.waitFor('failed')).failure?.message).toContain(problem)
    expect(storage().list()).toEqual([])
  })
})

describe('a sign-in is refused', () => {
  it.each([
    [{ provider: 'nobody' }, 'rxpi cannot sign in to "nobody"; it can to openai-codex, anthropic'],
    [{ provider: 'xai', method: 'browser' }, 'has no sign-in by browser; it has device'],
    [{ provider: 'xai', domain: 'acme.ghe.com' }, 'has no installations of companies'],
  ] as const)('for %j', async (command, problem) => {
    const begun = begin({}, command)
    await expect(begun).rejects.toMatchObject({ code: 'bad_request' })
    await expect(begun).rejects.toThrow(problem)
  })
})

it('a sign-out removes the account; without one it fails', async () => {
  await using login = await begin(codex(), {})
  await answer(await login.waitFor('open_url'), {})
  await login.waitFor('done')
  const logout = () => resultOf(login.own.logout({ provider: 'openai-codex' }))
  expect(await logout()).toEqual({ removed: 1 })
  await expect(logout()).rejects.toThrow('No account of openai-codex is stored')
})
