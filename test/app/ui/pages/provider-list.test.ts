// Tests the rows of the providers in the login.
import { expect, it } from 'vitest'
import { providerRows } from '../../../../app/ui/pages/provider-list.tsx'
import { usualProviders } from '../../../../app/ui/pages/login-state.ts'

it('lists every provider once, the usual ones first, and one to type [FIRST-lists]', () => {
  const listed = (provider: string, usable = false) => ({ usable, model: { provider } })
  const rows = providerRows([
    listed('zai'),
    listed('openai', true),
    listed('demo', true),
    listed('mine'),
    listed('zai'),
  ])
  expect(rows.map(({ key }) => key)).toEqual([...usualProviders, 'mine', 'zai', ''])
  expect(rows.find(({ key }) => key === 'openai')?.hint).toBe('can be used now · 1 model')
})
