// Tests the rows of the providers in the login.
import { expect, it } from 'vitest'
import { providerRows } from '../../../../app/ui/pages/provider-list.tsx'
import { usualProviders } from '../../../../app/ui/pages/login-state.ts'

it('lists every provider once, the usual ones first, and one to type [FIRST-lists]', () => {
  const listed = (provider: string, usable = false) => ({ usable, model: { provider } })
  const rows = providerRows(
    [listed('zai'), listed('openai', true), listed('demo', true), listed('mine'), listed('zai')],
    [],
  )
  expect(rows.map(({ key }) => key)).toEqual([...usualProviders, 'mine', 'zai', ''])
  expect(rows.find(({ key }) => key === 'openai')?.hint).toBe('can be used now · 1 model')
})

it('lists the plans first, with what is known of the account', () => {
  const plan = { provider: 'openai-codex', title: 'ChatGPT plan', methods: ['browser' as const] }
  const claude = { provider: 'anthropic', title: 'Claude plan', methods: ['browser' as const] }
  const account = { accountId: 'abcdefgh' }
  const rows = providerRows([], [plan, { ...claude, account }])
  expect(rows.slice(0, 3)).toEqual([
    { key: 'openai-codex', label: 'openai-codex', hint: 'ChatGPT plan' },
    { key: 'anthropic', label: 'anthropic', hint: 'Claude plan, signed in' },
    { key: 'openai', label: 'openai', hint: '' },
  ])
  const gone = providerRows([], [{ ...claude, account: { ...account, isSignedOut: true } }])[0]
  expect(gone?.hint).toBe('Claude plan, signed out by the vendor')
  expect(rows.filter(({ key }) => key === 'anthropic')).toHaveLength(1)
})
