// Tests the page of a sign-in: its address, code and countdown, pasted answers, Esc and a lost connection.
import { stripVTControlCharacters } from 'node:util'
import { NEVER, Subject, defer, of, throwError } from 'rxjs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { UiContext } from '../../../../app/ui/hooks/use-ui.ts'
import { Keyboard } from '../../../../app/ui/keys/keyboard.tsx'
import { accountTexts, rowsOfText } from '../../../../app/ui/pages/account-texts.ts'
import { cancelLogin } from '../../../../app/ui/pages/follow-login.ts'
import { LoginScreen } from '../../../../app/ui/pages/login-screen.tsx'
import { wayRows } from '../../../../app/ui/pages/login-ways.tsx'
import { emptyView } from '../../../../app/ui/view/view.ts'
import type { LoginState } from '../../../../lib/streams/commands/account-commands.ts'
import { Failure } from '../../../../lib/streams/values/failure.ts'
import { fakeUi } from '../../../support/fake-ui.ts'
import { cleanup, render } from '../../../support/ink-screen.ts'

afterEach(cleanup)

const base: LoginState = {
  ...{ loginId: 'abcdefg2', provider: 'anthropic', title: 'Claude plan', method: 'browser', revision: 0 },
  step: 'starting',
}
const url = `https://claude.ai/oauth/authorize?state=${'x'.repeat(80)}`
const demoView = { ...emptyView(), session: { id: 'abcdefghij23', cwd: '/', title: '' }, model: 'demo/guide' }
const both = { provider: 'anthropic', title: 'Claude plan', methods: ['browser', 'device'] }

/** A login page at `anthropic`, whose server shows the states that the test pushes. */
function page(own: Readonly<Record<string, unknown>> = {}, provider = 'anthropic') {
  const states$ = new Subject<{ readonly login: LoginState }>()
  let closed = 0
  const answers = {
    auth_accounts: { vendors: [both] },
    auth_login: { login: base },
    auth_login_wait: defer(() => states$),
    ...own,
  }
  const { ui, requests, notices, sequences } = fakeUi({ answers, view: demoView })
  const { stdin, lastFrame, unmount } = render(
    <UiContext value={ui}>
      <Keyboard>
        <LoginScreen provider={provider} columns={60} height={12} onClose={() => (closed += 1)} />
      </Keyboard>
    </UiContext>,
  )
  const rows = () =>
    stripVTControlCharacters(lastFrame() ?? '')
      .split('\n')
      .map((row) => row.trimEnd())
  let revision = 0
  return {
    ...{ requests, notices, sequences, rows, unmount, states$ },
    types: () => requests.map(({ type }) => type).filter((type) => type !== 'auth_accounts'),
    isClosed: () => closed > 0,
    press: async (key: string) => {
      await new Promise((resolve) => setImmediate(resolve))
      stdin.write(key)
    },
    /** The server shows a state. */
    show: async (state: Partial<LoginState>) => {
      await vi.waitFor(() => expect(states$.observed).toBe(true), { timeout: 10_000 })
      revision += 1
      states$.next({ login: { ...base, revision, ...state } })
    },
    sees: (text: string) => vi.waitFor(() => expect(rows().join('\n')).toContain(text), { timeout: 10_000 }),
  }
}

describe('the ways of a provider', () => {
  it('are its accounts and the key, or one of them', () => {
    const keys = (vendor: Parameters<typeof wayRows>[0]) => wayRows(vendor).map(({ key }) => key)
    const plan = { provider: 'openai-codex', title: 'ChatGPT', methods: ['browser' as const, 'device' as const] }
    expect(keys(plan)).toEqual(['browser', 'device', 'key'])
    expect(keys({ ...plan, onlyAccount: true })).toEqual(['browser', 'device'])
    expect(keys(undefined)).toEqual(['key'])
  })

  it('are listed, and the key is one of them', async () => {
    const { rows, press, sees } = page()
    await sees('Sign in with a browser')
    expect(rows().filter((row) => /Sign in|Store a key/.test(row))).toHaveLength(3)
    await press('key')
    await press('\r')
    await sees('Log in: the key of anthropic')
  })

  it('are skipped if there is one', async () => {
    const { sees, types } = page({ auth_accounts: { vendors: [{ ...both, methods: ['device'], onlyAccount: true }] } })
    await sees('Sign in: Claude plan')
    expect(types()).toEqual(['auth_login', 'auth_login_wait'])
  })
})

describe('a sign-in in a browser', () => {
  it('shows the whole address and the terms, hides the pasted answer, and sends it', async () => {
    const { rows, press, sees, show, requests } = page()
    await sees('Sign in with a browser')
    await press('\r')
    await show({ step: 'open_url', url, listens: true, terms: 'Anthropic allows its own applications only.' })
    await sees('Open this address')
    expect(rows().join('')).toContain(url)
    expect(rows().join('\n')).toContain('! Anthropic allows its own applications only.')
    await press('code-1#state-1')
    await sees('› ••••••')
    expect(rows().join('\n')).not.toContain('code-1')
    await press('\r')
    await vi.waitFor(
      () => expect(requests.at(-1)).toEqual({ type: 'auth_login_input', loginId: 'abcdefg2', text: 'code-1#state-1' }),
      { timeout: 10_000 },
    )
  })

  it('shows why an answer is refused, and goes on', async () => {
    const refusal = new Failure('bad_request', 'This is no answer of a sign-in')
    const { press, sees, show } = page({ auth_login_input: refusal })
    await sees('Sign in with a browser')
    await press('\r')
    await show({ step: 'open_url', url })
    await sees('›')
    await press('nonsense')
    await press('\r')
    await sees('✗ This is no answer of a sign-in')
    await show({ step: 'finishing' })
    await sees('getting the tokens')
  })

  it('that is done closes the page, and its model takes the place of the demo', async () => {
    const { press, sees, show, requests, notices, isClosed } = page()
    await sees('Sign in with a browser')
    await press('\r')
    const account = { accountId: 'bcdefgh2', name: 'ada', plan: 'max' }
    await show({ step: 'done', account, defaultModel: 'anthropic/claude-sonnet-5-5', notices: [] })
    await vi.waitFor(() => expect(isClosed()).toBe(true), { timeout: 10_000 })
    expect(requests.at(-1)).toMatchObject({ type: 'set_model', model: 'anthropic/claude-sonnet-5-5' })
    expect(notices[0]).toMatchObject({ level: 'success', text: expect.stringContaining('(ada, max)') as string })
  })
})

describe('a sign-in with a code', () => {
  const inMinutes = (minutes: number): number => Date.now() + minutes * 60_000

  async function deviceCode(own: Readonly<Record<string, unknown>> = {}) {
    const shown = page(own)
    await shown.sees('Sign in with a code')
    await shown.press('code')
    await shown.press('\r')
    await shown.show({
      step: 'device_code',
      url: 'https://example.com/device',
      userCode: 'ABCD-1234',
      expiresAt: inMinutes(15),
    })
    await shown.sees('and type the code  ABCD-1234')
    return shown
  }

  it('shows page, code and the time left, and Esc cancels it on the server', async () => {
    const { rows, press, requests, isClosed } = await deviceCode()
    expect(rows().join(' ').replaceAll(/\s+/g, ' ')).toMatch(/1[45] min( \d+ s)? left/)
    await press('\u001b')
    await vi.waitFor(() => expect(isClosed()).toBe(true), { timeout: 10_000 })
    expect(requests.at(-1)).toEqual({ type: 'auth_login_cancel', loginId: 'abcdefg2' })
  })

  it('copies the address at Tab', async () => {
    const { press, sequences } = await deviceCode()
    await press('\t')
    await vi.waitFor(
      () => expect(sequences.join('')).toContain(Buffer.from('https://example.com/device').toString('base64')),
      { timeout: 10_000 },
    )
  })

  it('goes on at the server if the UI goes away', async () => {
    const { unmount, types } = await deviceCode()
    unmount()
    expect(types()).not.toContain('auth_login_cancel')
  })

  it('that failed says why, and Enter begins another', async () => {
    const { press, sees, show, types } = await deviceCode()
    await show({ step: 'failed', failure: { code: 'provider_error', message: 'The code has expired' } })
    await sees('✗ The code has expired')
    await press('\r')
    await vi.waitFor(() => expect(types().filter((type) => type === 'auth_login')).toHaveLength(2), { timeout: 10_000 })
  })
})

it('a sign-in survives lost connections', async () => {
  const lost = new Failure('disconnected', 'The connection was lost')
  let attempts = 0
  const waiting$ = defer(() => {
    attempts += 1
    if (attempts < 3) return throwError(() => lost)
    return attempts === 3 ? of({ login: { ...base, revision: 4, step: 'finishing' } }) : NEVER
  })
  const { press, sees, types } = page({ auth_login_wait: waiting$ })
  await sees('Sign in with a browser')
  await press('\r')
  await sees('getting the tokens')
  expect(types()[0]).toBe('auth_login')
  expect(types().filter((type) => type === 'auth_login')).toHaveLength(1)
})

it.each([
  ['connected', ['auth_login_cancel']],
  ['stopped', []],
] as const)('a sign-in that is left is cancelled at a server that is %s', (connection, types) => {
  const { ui, requests } = fakeUi({ view: { ...demoView, connection } })
  cancelLogin(ui, base)
  expect(requests.map(({ type }) => type)).toEqual(types)
})

it('a sign-in that cannot begin says why', async () => {
  const { press, sees } = page({ auth_login: new Failure('busy', '8 sign-ins are under way') })
  await sees('Sign in with a browser')
  await press('\r')
  await sees('✗ 8 sign-ins are under way')
})

it('the domain of a company goes to the server', async () => {
  const device = { ...both, provider: 'github-copilot', methods: ['device'], onlyAccount: true }
  const { sees, requests } = page({ auth_accounts: { vendors: [device] } }, 'github-copilot company.ghe.com')
  await sees('Sign in:')
  expect(requests.find(({ type }) => type === 'auth_login')).toMatchObject({
    domain: 'company.ghe.com',
    method: 'device',
  })
})

it('words each step', () => {
  const now = 1_000_000
  const left = accountTexts({ ...base, step: 'open_url', url, expiresAt: now + 61_500 }, { now, opensBrowser: false })
  expect(left.hint).toMatch(/^In a browser .*· 1 min 2 s left$/)
  expect(accountTexts({ ...base, step: 'open_url', url }, { now, opensBrowser: true }).hint).toMatch(
    /^Enter opens it here/,
  )
  expect(
    accountTexts({ ...base, step: 'open_url', url, listens: false }, { now, opensBrowser: false }).lines,
  ).toHaveLength(3)
  expect(accountTexts({ ...base, step: 'device_code', expiresAt: now - 5 }, { now, opensBrowser: false }).hint).toMatch(
    /· 0 s left$/,
  )
  expect(accountTexts({ ...base, step: 'cancelled' }, { now, opensBrowser: false }).hint).toBe(
    'Enter begins again · Esc closes',
  )
  expect(rowsOfText('abcdefg', 3)).toEqual(['abc', 'def', 'g'])
  expect(rowsOfText('', 3)).toEqual([''])
})
